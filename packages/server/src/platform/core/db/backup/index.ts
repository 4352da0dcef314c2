export { readBackupFile, writeBackupFile } from "./backup-file.ts";
export { type BackupContents, dumpDatabase } from "./dump-database.ts";
export { type Backup, BackupError, type BackupHeader, type BackupSecret, type ModelFile } from "./format.ts";
export { NO_VISITOR, readBackup } from "./read-backup.ts";
export { DatabaseNotEmptyError, type RestoredBackup, restoreDatabase } from "./restore-database.ts";
