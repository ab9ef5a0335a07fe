<?php
# What a web server's rewrite rules would do: /w/*.php are MediaWiki's scripts, /wiki/<title> is an article.
$home = getenv( 'MW_INSTALL_PATH' );
$path = rawurldecode( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) ?: '/' );

if ( $path === '/ready' ) {
	echo getenv( 'GIT_TALK_WIKI_DATA' );
	return true;
}
if ( $path === '/' || $path === '/w/' || $path === '/wiki/' ) {
	header( 'Location: /wiki/Main_Page', true, 302 );
	return true;
}
if ( preg_match( '#^/w/(resources|skins|extensions)/.*\.(css|js|png|svg|gif|jpg|woff2?)$#', $path, $match )
	&& !str_contains( $path, '..' ) && is_file( $home . substr( $path, 2 ) ) ) {
	$types = [ 'css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml' ];
	header( 'Content-Type: ' . ( $types[$match[2]] ?? 'application/octet-stream' ) );
	readfile( $home . substr( $path, 2 ) );
	return true;
}
if ( preg_match( '#^/w/((?:index|api|load|rest|opensearch_desc)\.php)(/.*)?$#', $path, $match ) ) {
	$script = $match[1];
	if ( $script === 'api.php' ) {
		file_put_contents(
			getenv( 'GIT_TALK_WIKI_DATA' ) . '/log/requests', ( $_REQUEST['action'] ?? '' ) . "\n", FILE_APPEND );
	}
	if ( isset( $match[2] ) ) {
		$_SERVER['PATH_INFO'] = $match[2];
	}
} elseif ( str_starts_with( $path, '/wiki/' ) ) {
	$script = 'index.php';
} else {
	http_response_code( 404 );
	header( 'Content-Type: text/html; charset=utf-8' );
	echo '<!DOCTYPE html><title>Not Found</title><h1>Not Found</h1>';
	return true;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "/w/$script";
$_SERVER['SCRIPT_FILENAME'] = "$home/$script";
unset( $home, $path, $types, $match );
chdir( dirname( $_SERVER['SCRIPT_FILENAME'] ) );
require $_SERVER['SCRIPT_FILENAME'];
