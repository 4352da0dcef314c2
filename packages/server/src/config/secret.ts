import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError } from "./settings.ts";

const FILE = "secret.key";
const LENGTH = 32;

/**
 * The secret of the installation, with which it encrypts what it must read again and signs what it gets back. From the
 * settings, or made at the first start and kept in the data folder.
 */
export function installationSecret(setting: string | undefined, dataDir: string): Uint8Array {
  if (setting !== undefined) return Buffer.from(setting, "utf8");
  const path = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true });
  try {
    // Fails when it exists, so that two servers that start at once agree on one.
    writeFileSync(path, randomBytes(LENGTH).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  if (secret.length !== LENGTH)
    throw new SettingsError(
      `${path} is damaged. Restore it from a backup, or set FEATHER_SECRET to the secret it held.`,
    );
  return secret;
}
