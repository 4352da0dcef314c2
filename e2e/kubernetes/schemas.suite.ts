import { inject, test } from "vitest";
import { expectRecorded } from "./recorded-schemas.ts";
import { DOCUMENTS } from "./schemas.ts";

test("the schemas of the stand-in for a cluster are those of this cluster", async () => {
  await expectRecorded(inject("cluster"), DOCUMENTS);
});
