<?php
/**
 * An https server before an http one, for tests: makes an authority and a certificate for 127.0.0.1, localhost and [::1],
 * and hands each request on, with another address in redirects and links left as it is.
 *
 *     front.php <directory> <host:port> [<address to listen on>]    writes ca.pem and port into the directory
 */
[ , $directory, $upstream ] = $argv;
$listen = $argv[3] ?? '127.0.0.1';
$owner = posix_getppid();

file_put_contents( "$directory/openssl.cnf", <<<CNF
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[server]
basicConstraints = CA:FALSE
subjectAltName = IP:127.0.0.1,IP:0:0:0:0:0:0:0:1,DNS:localhost
CNF );
$options = static fn ( string $section ): array => [
	'config' => "$directory/openssl.cnf", 'x509_extensions' => $section, 'digest_alg' => 'sha256',
	'private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1', 'private_key_bits' => 2048,
];
$key = static fn () => openssl_pkey_new( $options( 'server' ) );
[ $authorityKey, $serverKey ] = [ $key(), $key() ];
$authority = openssl_csr_sign(
	openssl_csr_new( [ 'commonName' => 'Test authority' ], $authorityKey, $options( 'authority' ) ),
	null, $authorityKey, 2, $options( 'authority' ), 1 );
$certificate = openssl_csr_sign(
	openssl_csr_new( [ 'commonName' => 'Test server' ], $serverKey, $options( 'server' ) ),
	$authority, $authorityKey, 2, $options( 'server' ), 2 );
openssl_x509_export( $authority, $authorityText );
openssl_x509_export( $certificate, $certificateText );
openssl_pkey_export( $serverKey, $keyText, null, $options( 'server' ) );
file_put_contents( "$directory/ca.pem", $authorityText );
file_put_contents( "$directory/server.pem", $certificateText . $keyText );

$context = stream_context_create( [ 'ssl' => [ 'local_cert' => "$directory/server.pem" ] ] );
$server = stream_socket_server( "tls://$listen:0", $number, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context );
if ( !$server ) {
	exit( 1 );
}
$name = stream_socket_get_name( $server, false );
file_put_contents( "$directory/port.new", substr( $name, strrpos( $name, ':' ) + 1 ) );
rename( "$directory/port.new", "$directory/port" );

while ( posix_getppid() === $owner ) {
	$client = @stream_socket_accept( $server, 1 );
	if ( !$client ) {
		continue;
	}
	$head = '';
	while ( !str_contains( $head, "\r\n\r\n" ) && ( $line = fgets( $client ) ) !== false ) {
		$head .= $line;
	}
	if ( preg_match( '/^Content-Length: *(\d+)/mi', $head, $match ) && $match[1] > 0 ) {
		$body = stream_get_contents( $client, (int)$match[1] );
	} else {
		$body = '';
	}
	$wiki = @stream_socket_client( "tcp://$upstream", $number, $message, 10 );
	if ( $head !== '' && $wiki ) {
		fwrite( $wiki, preg_replace( '/\r\n\r\n$/', "\r\nConnection: close\r\n\r\n", $head ) . $body );
		$answer = stream_get_contents( $wiki );
		fwrite( $client, $answer );
		fclose( $wiki );
	}
	fclose( $client );
}
