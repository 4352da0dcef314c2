import { expect, test } from "vitest";
import { serverFoldersOf } from "./changed-tests.ts";

test.each([
  ["a module's file", ["packages/server/src/money/billing/coupons/coupons.usecases.ts"], ["money/billing"]],
  ["a file of the gateway", ["packages/server/src/gateway/stages/route.ts"], ["gateway/stages"]],
  [
    "files of a folder and of one inside it",
    ["packages/server/src/gateway/pipeline.ts", "packages/server/src/gateway/limits/units.ts"],
    ["gateway"],
  ],
  ["files of other packages", ["packages/sdk/src/client.ts", "README.md"], []],
])("%s: %j", (_what, changed, folders) => {
  expect(serverFoldersOf(changed)).toEqual(folders.map((folder) => `packages/server/src/${folder}`));
});
