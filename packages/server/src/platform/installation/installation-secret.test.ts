import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { systemClock } from "../core/clock.ts";
import { createSealer, SEALING_PURPOSES } from "../core/secrets/sealing.ts";
import { SettingsError } from "../core/settings.ts";
import { openInstallationSecret } from "./installation-secret.ts";
import { deleteSealed, SEALED_COLUMNS } from "./sealed-columns.ts";
import { parseSecretSetting, secretFilePath } from "./secret.ts";

const FIRST = "first-secret-of-the-installation-1";
const SECOND = "second-secret-of-the-installation";

let server: TestServer;
let folder: string;
let warnings: object[];
beforeEach(async () => {
  server = await createTestServer();
  folder = mkdtempSync(join(tmpdir(), "feather-secret-"));
  warnings = [];
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function open(secret?: string, previousSecret?: string) {
  const settings = { secret, previousSecret };
  const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields) };
  return openInstallationSecret({ db: server.db, settings, dataDir: folder, clock: systemClock, log });
}

/**
 * Stores a key of a backend, a second factor, a recovery code and a webhook endpoint, encrypted with this secret as a server
 * would.
 */
async function storeSealed(secret: Uint8Array): Promise<string> {
  const { userId, organizationId } = await server.signUp();
  const now = new Date();
  const sealed_api_key = createSealer(secret, SEALING_PURPOSES.backendKeys).seal("sk-backend");
  const names = { id: `bck_${userId}`, name: userId, base_url: "http://b.example/v1" };
  await server.db
    .insertInto("backends")
    .values({ ...names, sealed_api_key, created_at: now, updated_at: now })
    .execute();
  const sealed_totp_secret = createSealer(secret, SEALING_PURPOSES.secondFactors).seal("totp");
  await server.db
    .updateTable("users")
    .set({ sealed_totp_secret, totp_enabled_at: now })
    .where("id", "=", userId)
    .execute();
  await server.db
    .insertInto("recovery_codes")
    .values({ user_id: userId, code_hash: Buffer.from("x") })
    .execute();
  await storeWebhook(secret, { id: userId, organizationId });
  return userId;
}

/** Stores a webhook endpoint whose secret was replaced a moment ago. */
async function storeWebhook(key: Uint8Array, { id, organizationId }: { id: string; organizationId: string }) {
  const sealer = createSealer(key, SEALING_PURPOSES.webhookSecrets);
  const secrets = {
    secret: sealer.seal("whsec_new"),
    previous_secret: sealer.seal("whsec_old"),
    previous_secret_expires_at: new Date(),
  };
  await server.db
    .insertInto("webhook_endpoints")
    .values({ id, organization_id: organizationId, url: "https://a.example", event_types: ["test"], ...secrets })
    .execute();
}

async function readSealed(secret: Uint8Array, userId: string): Promise<string[]> {
  const backend = await server.db
    .selectFrom("backends")
    .select("sealed_api_key")
    .where("name", "=", userId)
    .executeTakeFirstOrThrow();
  const user = await server.db
    .selectFrom("users")
    .select("sealed_totp_secret")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const webhook = await server.db
    .selectFrom("webhook_endpoints")
    .select(["secret", "previous_secret"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const webhooks = createSealer(secret, SEALING_PURPOSES.webhookSecrets);
  return [
    createSealer(secret, SEALING_PURPOSES.backendKeys).open(backend.sealed_api_key ?? Buffer.alloc(0)),
    createSealer(secret, SEALING_PURPOSES.secondFactors).open(user.sealed_totp_secret ?? Buffer.alloc(0)),
    webhooks.open(webhook.secret),
    webhooks.open(webhook.previous_secret ?? Buffer.alloc(0)),
  ];
}

test("stores a new installation's secret in the data folder, and reads it at the next start", async () => {
  const secret = await open();
  expect(await open()).toEqual(secret);
  const content = readFileSync(secretFilePath(folder), "utf8");
  expect(await open(content)).toEqual(secret);
});

test("a server refuses a database that was made with another secret, and says what to do", async () => {
  await open(FIRST);
  await expect(open(SECOND)).rejects.toThrow(SettingsError);
  await expect(open(SECOND)).rejects.toThrow(/another secret than FEATHER_SECRET.*FEATHER_SECRET_PREVIOUS/s);
  await expect(open(SECOND, "neither-this-nor-that-one-at-all!")).rejects.toThrow("is not it either");
});

test("creates no new secret for a database whose secret is lost", async () => {
  await open();
  rmSync(secretFilePath(folder));
  await expect(open()).rejects.toThrow("secret.key");
  expect(existsSync(secretFilePath(folder))).toBe(false);
});

test("reports a damaged secret.key", async () => {
  writeFileSync(secretFilePath(folder), "not a secret");
  await expect(open()).rejects.toThrow("is damaged");
});

test("a server refuses a wrong secret for a database of an earlier version, which stores no fingerprint", async () => {
  const [first = Buffer.alloc(0)] = parseSecretSetting(FIRST);
  await storeSealed(first);
  await expect(open(SECOND)).rejects.toThrow("another secret");
  expect(await open(FIRST)).toEqual(first);
});

test("encrypts everything again when the installation secret is changed", async () => {
  const first = await open(FIRST);
  const userId = await storeSealed(first);
  const second = await open(SECOND, FIRST);
  expect(await readSealed(second, userId)).toEqual(["sk-backend", "totp", "whsec_new", "whsec_old"]);
  expect(await server.db.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
  expect(warnings).toEqual([{ recovery_codes: 1 }]);
  expect(await open(SECOND)).toEqual(second);
  await expect(open(FIRST)).rejects.toThrow("another secret");
});

test("encrypts all keys of a backend again when the installation secret is changed, and keeps which of them is copied", async () => {
  const [first, second] = [FIRST, SECOND].map((text) => parseSecretSetting(text)[0] ?? Buffer.alloc(0));
  if (!first || !second) throw new Error("There is no secret.");
  await open(FIRST);
  const backendId = `bck_${await storeSealed(first)}`;
  const sealed_key = createSealer(first, SEALING_PURPOSES.backendKeys).seal("sk-other");
  await server.db
    .insertInto("backend_keys")
    .values({ id: `bky_${backendId}`, backend_id: backendId, label: "other", sealed_key })
    .execute();
  await open(SECOND, FIRST);
  const rows = await server.db
    .selectFrom("backend_keys")
    .select("sealed_key")
    .where("backend_id", "=", backendId)
    .execute();
  const sealer = createSealer(second, SEALING_PURPOSES.backendKeys);
  expect(rows.map((row) => sealer.open(row.sealed_key ?? Buffer.alloc(0))).toSorted()).toEqual([
    "sk-backend",
    "sk-other",
  ]);
});

test("the server starts with a new secret once what the lost one encrypted is deleted", async () => {
  await storeSealed(await open(FIRST));
  await server.db.transaction().execute(async (trx) => {
    await deleteSealed(trx);
    await trx.deleteFrom("installation").execute();
  });
  const [second] = parseSecretSetting(SECOND);
  expect(await open(SECOND)).toEqual(second);
});

/** Columns of bytes that hold no secret, or a hash of one. */
const UNSEALED_COLUMNS = [
  "chat_shares.sealed_messages", // encrypted with the key of the organization, which is among them
  "chat_shares.sealed_title", // likewise
  "collection_documents.sealed_fields", // likewise
  "collection_documents.sealed_problem", // likewise
  "collection_passages.sealed_fields", // likewise
  "collection_vectors.sealed_vectors", // likewise
  "collections.sealed_fields", // likewise
  "conversation_entries.sealed_fields", // likewise
  "conversations.sealed_fields", // likewise
  "idempotency_keys.answer", // encrypted with the key of the client, which is not stored
  "idempotency_keys.id",
  "passkeys.credential_id",
  "passkeys.public_key",
  "password_failures.key",
  "prompts.sealed_fields", // encrypted with the key of the organization
  "rate_limits.key",
];

test("the list of encrypted columns has every column of bytes of the database but hashes and those that are no secret", async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name !~ 'hash$|fingerprint$'`.execute(server.db);
  const names = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;
  expect([...SEALED_COLUMNS.map(names), ...UNSEALED_COLUMNS].sort()).toEqual(rows.map(names).sort());
});
