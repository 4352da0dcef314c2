import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import type { DatabaseConnection } from "../platform/core/db/connect.ts";
import { createTestDatabase } from "../testing/database.ts";

const COMMAND = fileURLToPath(new URL("remove-setting.ts", import.meta.url));

let database: DatabaseConnection;
let address = "";
beforeEach(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  const { host, user } = inject("postgres");
  address = `postgres://${user}@localhost/${rows[0]?.name}?${new URLSearchParams({ host })}`;
});
afterEach(() => database.close());

function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], {
    // The settings that admins saved may contradict each other: that is what the command is for.
    env: { PATH: process.env.PATH, DATABASE_URL: address, FEATHER_PAYMENTS: "stripe" },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

async function save(name: string, values: { value: string | null; sealed_value: Buffer | null }): Promise<void> {
  await database.db
    .insertInto("saved_settings")
    .values({ name, ...values, saved_at: new Date("2026-11-30T09:00:00Z") })
    .execute();
}
const findRow = (name: string) =>
  database.db.selectFrom("saved_settings").selectAll().where("name", "=", name).executeTakeFirstOrThrow();

test("a saved value is removed, with the one before kept and a row in the audit log", async () => {
  await save("FEATHER_PAYMENTS", { value: "stripe", sealed_value: null });
  expect(run("FEATHER_PAYMENTS")).toEqual({ status: 0, stdout: "Removed FEATHER_PAYMENTS.\n", stderr: "" });
  expect(await findRow("FEATHER_PAYMENTS")).toMatchObject({ value: null, previous_value: "stripe", saved_by: null });
  const rows = await database.db.selectFrom("audit_log").select(["action", "target", "actor_user_id"]).execute();
  expect(rows).toEqual([{ action: "settings.remove", target: "FEATHER_PAYMENTS", actor_user_id: null }]);
});

test("a saved secret is removed without being read", async () => {
  await save("SMTP_URL", { value: null, sealed_value: Buffer.from("not readable with any secret") });
  expect(run("SMTP_URL").status).toBe(0);
  expect(await findRow("SMTP_URL")).toMatchObject({ sealed_value: null, value: null, previous_value: null });
});

test("what was never saved is named, and nothing is written", async () => {
  expect(run("FEATHER_PRODUCT_NAME")).toMatchObject({
    status: 1,
    stdout: "Nothing is saved for FEATHER_PRODUCT_NAME.\n",
  });
  expect(await database.db.selectFrom("audit_log").select("id").execute()).toEqual([]);
});

test("the command explains itself, and refuses more or fewer names than one", () => {
  expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("remove-setting.ts <NAME>") });
  for (const words of [[], ["A", "B"], ["--nonsense"]]) expect(run(...words).status, words.join(" ")).toBe(2);
});
