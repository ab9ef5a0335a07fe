<?php
# Settings of the private wiki that Tests/Wiki/wiki runs; MW_CONFIG_FILE points here, for the server and for the scripts.
# All data of one wiki lie in GIT_TALK_WIKI_DATA; the machine's own MediaWiki settings and data are left alone.
$data = getenv( 'GIT_TALK_WIKI_DATA' );

$wgSitename = 'Talk wiki';
$wgMetaNamespace = 'Project';
$wgServer = 'http://127.0.0.1:' . ( getenv( 'GIT_TALK_WIKI_PORT' ) ?: '80' );
$wgScriptPath = '/w';
$wgArticlePath = '/wiki/$1';
$wgLanguageCode = 'en';
$wgLocaltimezone = 'UTC';
$wgLogos = false;
wfLoadSkin( 'Vector' );
# One that knows a tag of its own, which hides headings.
wfLoadExtension( 'Poem' );

$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = "$data/database";
# What processes share lies in a database of its own, so that the server and the command line agree, and the frequent
# writes of a cache do not wait for an edit.
$wgObjectCaches[CACHE_DB] = [
	'class' => SqlBagOStuff::class,
	'loggroup' => 'SQLBagOStuff',
	'server' => [
		'type' => 'sqlite', 'dbname' => 'cache', 'tablePrefix' => '', 'dbDirectory' => $wgSQLiteDataDir,
		'variables' => [ 'synchronous' => 'OFF' ], 'trxMode' => 'IMMEDIATE', 'flags' => 0,
	],
];
$wgMainCacheType = CACHE_DB;
$wgCacheDirectory = "$data/cache";
$wgLocalisationCacheConf['store'] = 'array';
$wgInvalidateCacheOnLocalSettingsChange = false;
# A job run inside a request would delay its answer.
$wgJobRunRate = 0;

# Not secret: the wiki listens on loopback only, and its passwords stand in Tests/Wiki/README.md.
$wgSecretKey = str_repeat( '0', 64 );
$wgDiff3 = '/usr/bin/diff3';
$wgEnableEmail = false;
$wgEnableUploads = false;
$wgRateLimits = [];
$wgPasswordAttemptThrottle = [];
$wgAccountCreationThrottle = [];
$wgMemoryLimit = '1G';
$wgShowExceptionDetails = true;
$wgDBerrorLog = "$data/log/database.log";
$wgDebugLogGroups['exception'] = "$data/log/exception.log";
$wgDebugLogGroups['error'] = "$data/log/error.log";

# Administrators hide parts of revisions, as on the wikis that have people for it.
$wgGroupPermissions['sysop']['deleterevision'] = true;

# What `wiki set KEY VALUE` changed: {"ReadOnly": "…"} stands for $wgReadOnly.
if ( is_readable( "$data/settings.json" ) ) {
	foreach ( json_decode( file_get_contents( "$data/settings.json" ), true ) as $key => $value ) {
		$GLOBALS["wg$key"] = $value;
	}
}
# What `wiki extend` added.
foreach ( $wgAddedExtensions ?? [] as $value ) {
	wfLoadExtension( $value );
}
unset( $data, $key, $value );
