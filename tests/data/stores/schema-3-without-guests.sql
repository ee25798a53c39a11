PRAGMA user_version = 3;
PRAGMA application_id = 1095909972;
BEGIN TRANSACTION;
CREATE TABLE "events" (
  match TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, wall_ms INTEGER NOT NULL
);
INSERT INTO "events" VALUES('kewctmbs',1,'seated','{"type":"seated","match":"kewctmbs","seq":1,"seat":1,"player":{"name":"Ada","kind":"human"}}',1700000003000);
INSERT INTO "events" VALUES('kewctmbs',2,'seated','{"type":"seated","match":"kewctmbs","seq":2,"seat":2,"player":{"name":"Bob","kind":"human"}}',1700000004000);
INSERT INTO "events" VALUES('kewctmbs',3,'started','{"type":"started","match":"kewctmbs","seq":3,"to_move":1,"clocks":[60000,60000]}',1700000004000);
INSERT INTO "events" VALUES('kewctmbs',4,'moved','{"type":"moved","match":"kewctmbs","seq":4,"ply":0,"seat":1,"move":"a1","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000005000);
INSERT INTO "events" VALUES('kewctmbs',5,'moved','{"type":"moved","match":"kewctmbs","seq":5,"ply":1,"seat":2,"move":"b1","to_move":1,"clocks":[60000,60000],"used_ms":1000}',1700000006000);
INSERT INTO "events" VALUES('kewctmbs',6,'moved','{"type":"moved","match":"kewctmbs","seq":6,"ply":2,"seat":1,"move":"a2","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000007000);
INSERT INTO "events" VALUES('kewctmbs',7,'moved','{"type":"moved","match":"kewctmbs","seq":7,"ply":3,"seat":2,"move":"b2","to_move":1,"clocks":[60000,60000],"used_ms":1000}',1700000008000);
INSERT INTO "events" VALUES('kewctmbs',8,'moved','{"type":"moved","match":"kewctmbs","seq":8,"ply":4,"seat":1,"move":"a3","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000009000);
INSERT INTO "events" VALUES('kewctmbs',9,'finished','{"type":"finished","match":"kewctmbs","seq":9,"result":{"winner":1,"reason":"line","score":[1,0],"cells":[[0,0],[0,1],[0,2]]},"clocks":[60000,60000]}',1700000009000);
INSERT INTO "events" VALUES('bpccp4dh',1,'seated','{"type":"seated","match":"bpccp4dh","seq":1,"seat":1,"player":{"name":"Ada","kind":"human"}}',1700000010000);
INSERT INTO "events" VALUES('bpccp4dh',2,'seated','{"type":"seated","match":"bpccp4dh","seq":2,"seat":2,"player":{"name":"Bob","kind":"human"}}',1700000011000);
INSERT INTO "events" VALUES('bpccp4dh',3,'started','{"type":"started","match":"bpccp4dh","seq":3,"to_move":1,"clocks":[60000,60000]}',1700000011000);
INSERT INTO "events" VALUES('bpccp4dh',4,'moved','{"type":"moved","match":"bpccp4dh","seq":4,"ply":0,"seat":1,"move":"d3","to_move":2,"clocks":[60000,60000],"used_ms":1000}',1700000012000);
INSERT INTO "events" VALUES('bpccp4dh',5,'moved','{"type":"moved","match":"bpccp4dh","seq":5,"ply":1,"seat":2,"move":"c3","to_move":1,"clocks":[60000,60000],"used_ms":1000}',1700000013000);
INSERT INTO "events" VALUES('bpccp4dh',6,'said','{"type":"said","match":"bpccp4dh","seq":6,"seat":2,"text":"salut"}',1700000014000);
INSERT INTO "events" VALUES('w8un9b5j',1,'seated','{"type":"seated","match":"w8un9b5j","seq":1,"seat":1,"player":{"name":"Ada","kind":"human"}}',1700000015000);
CREATE TABLE matches (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, clock TEXT, public INTEGER NOT NULL, code TEXT, opened_ms INTEGER NOT NULL
, opening TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
INSERT INTO "matches" VALUES('bpccp4dh','othello','{"initial_ms":60000,"increment_ms":1000}',1,NULL,1700000010000,'');
INSERT INTO "matches" VALUES('kewctmbs','morpion','{"initial_ms":60000,"increment_ms":1000}',1,NULL,1700000003000,'');
INSERT INTO "matches" VALUES('w8un9b5j','puissance4','{"initial_ms":60000,"increment_ms":1000}',0,'FONO',1700000015000,'');
CREATE TABLE results (
  match TEXT PRIMARY KEY, winner INTEGER, reason TEXT NOT NULL, first_score INTEGER NOT NULL,
  second_score INTEGER NOT NULL, plies INTEGER NOT NULL, chain TEXT NOT NULL, closed_ms INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "results" VALUES('kewctmbs',1,'line',1,0,5,'9ed85d9e52368e14dc223d70c0e9d6678de140d046aabfd6fee3129327e3a0a0',1700000009000);
CREATE TABLE seats (
  match TEXT NOT NULL, seat INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
INSERT INTO "seats" VALUES('bpccp4dh',1,'s1');
INSERT INTO "seats" VALUES('bpccp4dh',2,'s2');
INSERT INTO "seats" VALUES('kewctmbs',1,'s1');
INSERT INTO "seats" VALUES('kewctmbs',2,'s2');
INSERT INTO "seats" VALUES('w8un9b5j',1,'s1');
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token BLOB NOT NULL, previous BLOB
) WITHOUT ROWID;
INSERT INTO "sessions" VALUES('s1','Ada','human',X'5B11618C2E44027877D0CD0921ED166B9F176F50587FC91E7534DD2946DB77D6',NULL);
INSERT INTO "sessions" VALUES('s2','Bob','human',X'35224D0D3465D74E855F8D69A136E79C744EA35A675D3393360A327CBF6359A2',NULL);
COMMIT;
