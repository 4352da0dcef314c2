import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { lockBriefly } from "./brief-lock.ts";

const SPACE = 727_699;

test("a process that stands still in a transaction keeps a brief lock for some seconds only", async () => {
  const { db, close } = await createTestDatabase();
  const [locked, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const still = db.transaction().execute(async (trx) => {
    await lockBriefly(trx, SPACE, "a");
    locked.resolve();
    await resumed.promise;
  });
  await locked.promise;
  await db.transaction().execute((trx) => lockBriefly(trx, SPACE, "a"));
  resumed.resolve();
  await expect(still).rejects.toThrow();
  await close();
});
