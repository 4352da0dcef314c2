import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import type { DatabaseConnection } from "./connect.ts";
import { SEED_PLANS } from "./seed/plans.ts";

const MIGRATION = readFileSync(join(import.meta.dirname, "migrations", "0045-plan-texts.sql"), "utf8");

let connection: DatabaseConnection;
beforeEach(async () => {
  connection = await createTestDatabase();
});
afterEach(() => connection.close());

function readTexts() {
  return connection.db.selectFrom("plans").select(["id", "description", "features"]).orderBy("position").execute();
}

test("the migration gives plans of earlier installations the texts of new ones", async () => {
  await connection.pool.query(`
    update plans set description = 'Every model in the catalogue.' where id = 'feather_pro_plus';
    update plans set description = 'Everything, and deployments of your own.' where id = 'feather_max';
    update plans set features = array_replace(features, 'Models of any size', 'Any model');
  `);
  await connection.pool.query(MIGRATION);
  expect(await readTexts()).toEqual(SEED_PLANS.map(({ id, description, features }) => ({ id, description, features })));
});

test("the migration keeps the texts that an operator wrote", async () => {
  await connection.pool.query("update plans set description = 'Ours.', features = '{Fast}' where id = 'feather_max'");
  await connection.pool.query(MIGRATION);
  expect(await readTexts()).toContainEqual({ id: "feather_max", description: "Ours.", features: ["Fast"] });
});
