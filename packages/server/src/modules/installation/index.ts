export { openInstallationSecret } from "./installation-secret.ts";
export { deleteSealed } from "./sealed-columns.ts";
