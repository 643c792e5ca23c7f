CREATE INDEX `evaluation_sessions_by_root` ON `evaluation_sessions` (json_extract(`place`, '$.rootId')) WHERE `place` IS NOT NULL;
