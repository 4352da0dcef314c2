import { hkdfSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError } from "../core/settings.ts";

const SECRET_FILE_NAME = "secret.key";
const SECRET_BYTES = 32;

/** Path of the file with the secret, used when no setting has it. */
export const secretFilePath = (dataDir: string): string => join(dataDir, SECRET_FILE_NAME);

/** Reads the secret from the data folder; undefined if there is none. Throws a SettingsError for a damaged file. */
export function readSecretFile(dataDir: string): Uint8Array | undefined {
  const path = secretFilePath(dataDir);
  const text = readIfExists(path);
  if (text === undefined) return undefined;
  const secret = Buffer.from(text.trim(), "hex");
  if (secret.length !== SECRET_BYTES)
    throw new SettingsError(
      `${path} is damaged. Restore it from a backup, or set FEATHER_SECRET to the 64 characters it held.`,
    );
  return secret;
}

/** Creates the secret of a new installation in the data folder. When two servers start at once, both get the same. */
export function createSecretFile(dataDir: string): Uint8Array {
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(secretFilePath(dataDir), randomBytes(SECRET_BYTES).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = readSecretFile(dataDir);
  if (secret === undefined) throw new Error(`${secretFilePath(dataDir)} was removed while the server started.`);
  return secret;
}

/** Returns the secrets that a setting may stand for: its text or, for 64 hexadecimal digits, the content of a secret.key. */
export function parseSecretSetting(setting: string): Uint8Array[] {
  const text = Buffer.from(setting, "utf8");
  return /^[0-9a-f]{64}$/.test(setting) ? [text, Buffer.from(setting, "hex")] : [text];
}

/** Returns a fingerprint by which secrets can be compared without revealing them. */
export function fingerprintSecret(secret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "feather fingerprint", 32));
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
