export { mustWriteSecret, readBackupSecret, writeSecretFile } from "./backup-secret.ts";
export { openInstallationSecret } from "./installation-secret.ts";
export { deleteSealed } from "./sealed-columns.ts";
