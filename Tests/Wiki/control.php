<?php
/**
 * What Tests/Wiki/wiki does inside MediaWiki: fills a fresh wiki, and calls its API as any user, server or no server.
 *
 *     control.php populate <pages directory>
 *     control.php api <user> <parameter>=<value>…      "text=-" and "appendtext=-" read standard input
 *     control.php big <bytes>
 *     control.php many <pages>
 *     control.php set <key> [<value>]
 *     control.php filter warn|disallow <word> <description>
 */
require_once getenv( 'MW_INSTALL_PATH' ) . '/maintenance/Maintenance.php';

use MediaWiki\MediaWikiServices;

class Control extends Maintenance {
	/** Who can log in, and who of them is an administrator. */
	private const ACCOUNTS = [ 'Admin' => true, 'Alice' => false, 'Bob' => false, 'Carol' => false ];

	/** With its bot password Alice logs in as "Alice@git-talk". */
	private const BOT_NAME = 'git-talk';
	private const GRANTS = [
		'basic', 'highvolume', 'editpage', 'editprotected', 'createeditmovepage', 'delete', 'protect', 'rollback', 'viewdeleted',
		'viewmywatchlist',
	];

	/** @var string[] Titles of the pages that were loaded. */
	private $titles = [];

	public function __construct() {
		parent::__construct();
		$this->addArg( 'verb', 'populate, api, big, many, set or filter' );
		$this->addArg( 'arguments', 'see the head of the file', false );
		$this->allowUnregisteredOptions = true;
	}

	public function execute() {
		$arguments = $this->parameters->getArgs();
		switch ( array_shift( $arguments ) ) {
			case 'populate':
				return $this->populate( $arguments[0] );
			case 'api':
				return $this->api( ...$arguments );
			case 'big':
				return $this->big( (int)( $arguments[0] ?? 1000000 ) );
			case 'many':
				return $this->many( (int)( $arguments[0] ?? 100 ) );
			case 'set':
				return $this->set( ...$arguments );
			case 'filter':
				return $this->filter( ...$arguments );
		}
		$this->fatalError( 'unknown verb' );
	}

	/** Accounts with bot passwords, then the sample pages with their authors. */
	private function populate( string $directory ): bool {
		foreach ( self::ACCOUNTS as $name => $isAdministrator ) {
			$user = $this->account( $name );
			if ( $isAdministrator ) {
				$groups = MediaWikiServices::getInstance()->getUserGroupManager();
				$groups->addUserToGroup( $user, 'sysop' );
				$groups->addUserToGroup( $user, 'bureaucrat' );
			}
			$password = $this->password( $name );
			$user->changeAuthenticationData(
				[ 'username' => $name, 'password' => $password, 'retype' => $password ] );
			$bot = BotPassword::newUnsaved(
				[ 'username' => $name, 'appId' => self::BOT_NAME, 'grants' => self::GRANTS ] );
			$factory = MediaWikiServices::getInstance()->getPasswordFactory();
			$this->check( $bot->save( 'insert', $factory->newFromPlaintext( $password ) ), "bot password of $name" );
		}
		foreach ( glob( "$directory/*.xml" ) as $file ) {
			$this->import( $file );
		}
		$list = array_map( static function ( $title ) {
			return "* [[:$title]]";
		}, $this->titles );
		$this->save( 'Main Page', 'Admin', "A wiki to try git-talk with. It has these pages:\n" . implode( "\n", $list ), 'pages' );
		SiteStatsInit::doAllAndCommit( $this->getDB( DB_PRIMARY ) );
		return true;
	}

	/** At least 32 letters out of 0-9a-w, as a bot password must be; the account has the same one. */
	private function password( string $name ): string {
		return str_pad( 'localwikipasswordof' . strtolower( $name ), 32, '0' );
	}

	private function account( string $name ): User {
		$user = User::newFromName( $name );
		if ( !$user ) {
			$this->fatalError( "not a user name: $name" );
		}
		if ( !$user->isRegistered() ) {
			$this->check( $user->addToDatabase(), "account $name" );
		}
		return $user;
	}

	/** The authors must be accounts, or the importer would call them "imported>Bob". */
	private function import( string $file ): void {
		$reader = new XMLReader();
		$reader->open( $file );
		while ( $reader->read() ) {
			if ( $reader->nodeType === XMLReader::ELEMENT && $reader->name === 'username' ) {
				$this->account( $reader->readString() );
			} elseif ( $reader->nodeType === XMLReader::ELEMENT && $reader->name === 'title' ) {
				$this->titles[] = $reader->readString();
			}
		}
		$source = ImportStreamSource::newFromFile( $file );
		$this->check( $source, $file );
		$importer = MediaWikiServices::getInstance()->getWikiImporterFactory()->getWikiImporter( $source->value );
		$importer->setUsernamePrefix( 'imported', true );
		$importer->disableStatisticsUpdate();
		if ( !$importer->doImport() ) {
			$this->fatalError( "could not import $file" );
		}
		DeferredUpdates::doUpdates();
	}

	/** One call of the API in this process; the answer as JSON, exit code 1 with the error's code if it failed. */
	private function api( string $userName, string ...$parameters ): bool {
		$user = $this->account( $userName );
		$values = [ 'errorformat' => 'plaintext' ];
		foreach ( $parameters as $parameter ) {
			[ $key, $value ] = explode( '=', $parameter, 2 );
			$values[$key] = $value === '-' && in_array( $key, [ 'text', 'appendtext' ] ) ? $this->getStdin( Maintenance::STDIN_ALL ) : $value;
		}
		$request = new FauxRequest( $values, true );
		// As api.php does.
		RequestContext::getMain()->setTitle( Title::makeTitle( NS_SPECIAL, 'Badtitle/dummy title for API calls' ) );
		$context = new DerivativeContext( RequestContext::getMain() );
		$context->setRequest( $request );
		$context->setUser( $user );
		$request->setVal( 'token', $user->getEditToken( '', $request ) );
		$main = new ApiMain( $context, true );
		try {
			$main->execute();
		} catch ( ApiUsageException $error ) {
			$first = $error->getStatusValue()->getErrors()[0];
			$this->fatalError( ApiMessage::create( $first )->getApiCode() );
		}
		DeferredUpdates::doUpdates();
		$answer = $main->getResult()->getResultData( null, [ 'Types' => [ 'AssocAsObject' => true ], 'Strip' => 'all' ] );
		$this->output( json_encode( $answer, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ) . "\n" );
		return true;
	}

	/** Writes "Talk:Big page", always the same text for the same size. */
	private function big( int $bytes ): bool {
		$people = [ 'Alice', 'Bob', 'Carol', 'Dmitri', 'Hana', 'Zoë B.' ];
		$words = explode( ' ', 'the bridge library harbour was were about opening hours source says that page should name list '
			. 'photo map with and without street old new station market weather table agree change keep remove year' );
		$seed = 1;
		$next = static function ( int $below ) use ( &$seed ): int {
			$seed = ( $seed * 1103515245 + 12345 ) % 2147483648;
			return intdiv( $seed, 65536 ) % $below;
		};
		$time = strtotime( '2010-01-01T00:00:00Z' );
		$text = "This page is large on purpose.\n";
		for ( $topic = 1; strlen( $text ) < $bytes; $topic++ ) {
			$text .= "\n== Topic $topic: {$words[$next( count( $words ) )]} ==\n";
			$depth = 0;
			for ( $comment = $next( 12 ) + 1; $comment > 0; $comment-- ) {
				$line = str_repeat( ':', $depth ) . 'Comment';
				for ( $length = $next( 60 ) + 5; $length > 0; $length-- ) {
					$line .= ' ' . $words[$next( count( $words ) )];
				}
				$name = $people[$next( count( $people ) )];
				$time += 60 * ( $next( 600 ) + 1 );
				$text .= "$line. [[User:$name|$name]] ([[User talk:$name|talk]]) " . gmdate( 'H:i, j F Y', $time ) . " (UTC)\n";
				$depth = $next( min( $depth + 2, 9 ) );
			}
		}
		$this->save( 'Talk:Big page', 'Bob', $text, 'a large page' );
		$this->output( "Talk:Big page\n" );
		return true;
	}

	/** Writes "Talk:Many 1", "Talk:Many 2" and so on, a short discussion each. */
	private function many( int $pages ): bool {
		for ( $number = 1; $number <= $pages; $number++ ) {
			$text = "== Number $number ==\nIs this one needed? [[User:Bob|Bob]] 10:00, 1 March 2024 (UTC)\n"
				. ":Yes. [[User:Carol|Carol]] 11:00, 1 March 2024 (UTC)\n";
			$this->save( "Talk:Many $number", 'Bob', $text, 'one of many' );
			$this->output( "Talk:Many $number\n" );
		}
		return true;
	}

	private function save( string $name, string $userName, string $text, string $summary ): void {
		$title = Title::newFromText( $name );
		$updater = MediaWikiServices::getInstance()->getWikiPageFactory()->newFromTitle( $title )
			->newPageUpdater( $this->account( $userName ) );
		$updater->setContent( 'main', ContentHandler::makeContent( $text, $title ) );
		$updater->saveRevision( CommentStoreComment::newUnsavedComment( $summary ) );
		$this->check( $updater->getStatus(), $name );
		DeferredUpdates::doUpdates();
	}

	/** Overrides one setting of LocalSettings.php from now on; without a value the override goes. */
	private function set( string $key, ?string $value = null ): bool {
		$file = getenv( 'GIT_TALK_WIKI_DATA' ) . '/settings.json';
		$settings = is_readable( $file ) ? json_decode( file_get_contents( $file ), true ) : [];
		unset( $settings[$key] );
		if ( $value !== null ) {
			$settings[$key] = json_decode( $value, true ) ?? $value;
		}
		file_put_contents( "$file.new", json_encode( (object)$settings ) );
		return rename( "$file.new", $file );
	}

	/** An edit filter, as Special:AbuseFilter saves one; there is no API for it. */
	private function filter( string $action, string $word, string $description ): bool {
		$database = $this->getDB( DB_PRIMARY );
		$database->insert( 'abuse_filter', [
			'af_pattern' => 'added_lines contains "' . addcslashes( $word, '"\\' ) . '"', 'af_public_comments' => $description,
			'af_comments' => '', 'af_user' => 1, 'af_user_text' => 'Admin', 'af_timestamp' => $database->timestamp(),
			'af_actions' => $action, 'af_enabled' => 1, 'af_group' => 'default',
		] );
		$database->insert( 'abuse_filter_action', [
			'afa_filter' => $database->insertId(), 'afa_consequence' => $action, 'afa_parameters' => $action === 'warn' ? 'abusefilter-warning' : 'abusefilter-disallowed',
		] );
		return true;
	}

	private function check( StatusValue $status, string $what ): void {
		if ( !$status->isOK() ) {
			$this->fatalError( "$what: " . Status::wrap( $status )->getWikiText( false, false, 'en' ) );
		}
	}
}

$maintClass = Control::class;
require_once RUN_MAINTENANCE_IF_MAIN;
