PRAGMA user_version = 6;
PRAGMA application_id = 1095909972;
BEGIN TRANSACTION;
CREATE TABLE checkpoint (event INTEGER NOT NULL);
INSERT INTO "checkpoint" VALUES(0);
CREATE TABLE doomed (
  match TEXT PRIMARY KEY, first_event INTEGER NOT NULL, last_event INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE entries (
  league TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, hash TEXT NOT NULL, session TEXT NOT NULL,
  PRIMARY KEY (league, name)
) WITHOUT ROWID;
INSERT INTO "entries" VALUES('BATOMI','Ada','BATOMI','0de1b6572a0bb8b8d04c2aeab8f18de903f35183ede37ed5f139cac4f1fc356c','s1');
INSERT INTO "entries" VALUES('BATOMI','Bob','BATOMI','','s2');
CREATE TABLE events (
  match TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO "events" VALUES('2bppqjj8',1,'seated','{"type":"seated","match":"2bppqjj8","seq":1,"seat":1,"player":{"name":"Ada","kind":"human"}}',1700000003000);
INSERT INTO "events" VALUES('2bppqjj8',2,'seated','{"type":"seated","match":"2bppqjj8","seq":2,"seat":2,"player":{"name":"Bob","kind":"human"}}',1700000004000);
INSERT INTO "events" VALUES('2bppqjj8',3,'started','{"type":"started","match":"2bppqjj8","seq":3,"to_move":1,"clocks":[60000,60000]}',1700000004000);
INSERT INTO "events" VALUES('2bppqjj8',4,'moved','{"type":"moved","match":"2bppqjj8","seq":4,"ply":0,"seat":1,"move":"a1","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000005000);
INSERT INTO "events" VALUES('2bppqjj8',5,'moved','{"type":"moved","match":"2bppqjj8","seq":5,"ply":1,"seat":2,"move":"b1","to_move":1,"clocks":[60000,60000],"used_ms":1000}',1700000006000);
INSERT INTO "events" VALUES('2bppqjj8',6,'moved','{"type":"moved","match":"2bppqjj8","seq":6,"ply":2,"seat":1,"move":"a2","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000007000);
INSERT INTO "events" VALUES('2bppqjj8',7,'moved','{"type":"moved","match":"2bppqjj8","seq":7,"ply":3,"seat":2,"move":"b2","to_move":1,"clocks":[60000,60000],"used_ms":1000}',1700000008000);
INSERT INTO "events" VALUES('2bppqjj8',8,'moved','{"type":"moved","match":"2bppqjj8","seq":8,"ply":4,"seat":1,"move":"a3","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000009000);
INSERT INTO "events" VALUES('2bppqjj8',9,'finished','{"type":"finished","match":"2bppqjj8","seq":9,"result":{"winner":1,"reason":"line","score":[1,0],"cells":[[0,0],[0,1],[0,2]]},"clocks":[60000,60000]}',1700000009000);
INSERT INTO "events" VALUES('zjd6jvwn',1,'seated','{"type":"seated","match":"zjd6jvwn","seq":1,"seat":1,"player":{"name":"Ada","kind":"human"}}',1700000010000);
INSERT INTO "events" VALUES('zjd6jvwn',2,'seated','{"type":"seated","match":"zjd6jvwn","seq":2,"seat":2,"player":{"name":"Bob","kind":"human"}}',1700000011000);
INSERT INTO "events" VALUES('zjd6jvwn',3,'started','{"type":"started","match":"zjd6jvwn","seq":3,"to_move":1,"clocks":[60000,60000]}',1700000011000);
INSERT INTO "events" VALUES('zjd6jvwn',4,'moved','{"type":"moved","match":"zjd6jvwn","seq":4,"ply":0,"seat":1,"move":"d3","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000012000);
INSERT INTO "events" VALUES('zjd6jvwn',5,'moved','{"type":"moved","match":"zjd6jvwn","seq":5,"ply":1,"seat":2,"move":"c3","to_move":1,"clocks":[60000,60000],"used_ms":1000}',1700000013000);
INSERT INTO "events" VALUES('zjd6jvwn',6,'said','{"type":"said","match":"zjd6jvwn","seq":6,"seat":2,"text":"salut"}',1700000014000);
INSERT INTO "events" VALUES('scjhkvub',1,'seated','{"type":"seated","match":"scjhkvub","seq":1,"seat":1,"player":{"name":"Ada","kind":"human"}}',1700000015000);
CREATE TABLE guests (
  match TEXT NOT NULL, place INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, place)
) WITHOUT ROWID;
INSERT INTO "guests" VALUES('2bppqjj8',0,'s1');
INSERT INTO "guests" VALUES('scjhkvub',0,'s1');
INSERT INTO "guests" VALUES('zjd6jvwn',0,'s1');
CREATE TABLE leagues (
  code TEXT PRIMARY KEY, session TEXT NOT NULL, roster TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
INSERT INTO "leagues" VALUES('BATOMI','s1','');
CREATE TABLE matches (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, clock TEXT, public INTEGER NOT NULL, code TEXT, opened_ms INTEGER NOT NULL,
  opening TEXT NOT NULL DEFAULT '', link TEXT, network TEXT
) WITHOUT ROWID;
INSERT INTO "matches" VALUES('2bppqjj8','morpion','{"initial_ms":60000,"increment_ms":1000}',1,NULL,1700000003000,'',NULL,'{"outage":"pause"}');
INSERT INTO "matches" VALUES('scjhkvub','morpion','{"initial_ms":60000,"increment_ms":1000}',0,'DIKA',1700000015000,'b2',NULL,NULL);
INSERT INTO "matches" VALUES('zjd6jvwn','othello','{"initial_ms":60000,"increment_ms":1000}',1,NULL,1700000010000,'',NULL,NULL);
CREATE TABLE open_matches (
  match TEXT PRIMARY KEY, first_event INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE placed (
  match TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (match, event)
) WITHOUT ROWID;
CREATE TABLE results (
  match TEXT PRIMARY KEY, winner INTEGER, reason TEXT NOT NULL, first_score INTEGER NOT NULL,
  second_score INTEGER NOT NULL, plies INTEGER NOT NULL, chain TEXT NOT NULL, closed_ms INTEGER NOT NULL,
  hosted INTEGER NOT NULL DEFAULT 0, first_event INTEGER NOT NULL DEFAULT 0, last_event INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO "results" VALUES('2bppqjj8',1,'line',1,0,5,'d69ccd596719ccb68b8276b41b959966c42f27f98f17cbbe04b56a022094cc76',1700000009000,1,1,16);
CREATE TABLE reviews (
  slot INTEGER PRIMARY KEY, number INTEGER NOT NULL, ticket TEXT NOT NULL, judge TEXT NOT NULL, steps TEXT NOT NULL
);
INSERT INTO "reviews" VALUES(1,1,'9f3c5d1e0b7a48269f3c5d1e0b7a4826','1','[{"ply":0,"chance":500,"exact":true,"value":0}]');
CREATE TABLE seats (
  match TEXT NOT NULL, seat INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
INSERT INTO "seats" VALUES('2bppqjj8',1,'s1');
INSERT INTO "seats" VALUES('2bppqjj8',2,'s2');
INSERT INTO "seats" VALUES('scjhkvub',1,'s1');
INSERT INTO "seats" VALUES('zjd6jvwn',1,'s1');
INSERT INTO "seats" VALUES('zjd6jvwn',2,'s2');
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token BLOB NOT NULL, previous BLOB
) WITHOUT ROWID;
INSERT INTO "sessions" VALUES('s1','Ada','human',X'5B11618C2E44027877D0CD0921ED166B9F176F50587FC91E7534DD2946DB77D6',NULL);
INSERT INTO "sessions" VALUES('s2','Bob','human',X'35224D0D3465D74E855F8D69A136E79C744EA35A675D3393360A327CBF6359A2',NULL);
COMMIT;
