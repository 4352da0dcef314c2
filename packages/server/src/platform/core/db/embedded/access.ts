import { chownSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { APPLICATION_ROLE } from "../application-role.ts";
import type { Account } from "./account.ts";
import { SUPERUSER } from "./cluster.ts";

const IDENT_MAP = "feather";

/**
 * Allows only processes of this system user to connect (peer authentication). If the user has no name, as in some
 * containers, only the private directory of the socket protects the database.
 */
export function restrictAccess(data: string, account: Account): void {
  const name = readUserName();
  const rules = name === undefined ? "local all all trust\n" : `local all all peer map=${IDENT_MAP}\n`;
  const roles = [SUPERUSER, APPLICATION_ROLE];
  const names = [...new Set([name, "root"])].filter((each) => each !== undefined);
  const map = names.flatMap((system) =>
    roles.map((role) => `${IDENT_MAP} "${system.replaceAll('"', '""')}" ${role}\n`),
  );
  writeOwnedFile(join(data, "pg_hba.conf"), rules, account);
  writeOwnedFile(join(data, "pg_ident.conf"), map.join(""), account);
}

function writeOwnedFile(path: string, text: string, account: Account): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}

function readUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined; // the user id has no entry
  }
}
