import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { lockBriefly } from "./brief-lock.ts";

const SPACE = 727_699;

test("a process that stands still in a transaction keeps a brief lock for some seconds only", async () => {
  const { db, close } = await createTestDatabase();
  try {
    const still = await db.startTransaction().execute();
    await lockBriefly(still, SPACE, "a");
    await db.transaction().execute((trx) => lockBriefly(trx, SPACE, "a"));
    await expect(still.commit().execute()).rejects.toThrow();
  } finally {
    await close();
  }
});
