import type { Backup, ModelFile, RestoredBackup } from "../platform/core/db/backup/index.ts";

const number = new Intl.NumberFormat("en");

/** Returns the number of tables and rows, such as "84 tables with 12,345 rows". */
export function describeRows({ trailer }: Pick<Backup, "trailer">): string {
  const rows = trailer.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${number.format(trailer.tables.length)} tables with ${number.format(rows)} rows`;
}

/** Returns a sentence about where the secret is that a backup needs. */
export function describeSecret({ header }: Pick<Backup, "header">): string {
  return header.secret.key === null
    ? "It does not hold the secret that encrypts stored keys: keep FEATHER_SECRET of this server, or its secret.key, apart from it."
    : "It holds the secret of the server, so whoever has the file can read everything in it.";
}

/** Returns the number and size of model files, such as "3 files, 12.3 GB". */
export function describeFiles(files: readonly ModelFile[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${number.format(files.length)} ${files.length === 1 ? "file" : "files"}, ${toSize(bytes)}`;
}

/** Returns a size in MB or GB. */
export function toSize(bytes: number): string {
  const [amount, unit] = bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${amount.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

/** Returns a sentence about the tables that were left out; empty without any. */
export function describeLeftOut({ leftOut }: Pick<RestoredBackup, "leftOut">): string {
  return leftOut.length === 0 ? "" : `Left out, because the server has no such tables: ${leftOut.join(", ")}.\n`;
}
