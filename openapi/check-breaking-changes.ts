/** Fails when the contract breaks callers of the last release and no note of a release announces it. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ComparedContract, findBreakingChanges } from "./breaking-changes.ts";
import { announcesMajorChange, findLastRelease, readContractAt } from "./released-contract.ts";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const tag = findLastRelease(checkout);
if (tag === null) {
  console.log("There is no release yet that the contract could break.");
} else {
  const current = JSON.parse(
    readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8"),
  ) as ComparedContract;
  const changes = findBreakingChanges(readContractAt(checkout, tag), current);
  for (const change of changes) console.log(change);
  if (changes.length > 0 && !announcesMajorChange(checkout)) {
    console.log(`These changes break callers of ${tag}. Take them back, or announce a major change: npx changeset.`);
    process.exit(1);
  }
}
