import { describe, expect, test } from "vitest";
import { findCircles, findSiblingCircles, type Import, importsIn, refusalOf } from "./import-rules.ts";

const server = (path: string) => `packages/server/src/${path}`;
const refusal = (from: string, to: string) =>
  refusalOf({ from: server(from), to: server(to), isType: false, isLazy: false });

test.each([
  ["platform/core/ids.ts", "platform/core/secrets/secrets.ts"],
  ["http/bind.ts", "platform/core/errors/index.ts"],
  ["gateway/pipeline.ts", "gateway/stages/route.ts"],
  ["money/billing/index.ts", "money/billing/payments/driver.ts"],
  ["money/billing/index.ts", "money/credits/index.ts"],
  ["money/billing/index.ts", "platform/core/ids.ts"],
  ["hosting/deployments/calls.ts", "gateway/index.ts"],
  ["modules.ts", "money/billing/index.ts"],
])("%s may import %s", (from, to) => {
  expect(refusal(from, to)).toBeNull();
});

test.each([
  ["platform/core/ids.ts", "platform/audit/index.ts", "core/ is what modules share"],
  ["http/bind.ts", "platform/audit/index.ts", "http/ imports core/ only"],
  ["gateway/pipeline.ts", "money/plans/index.ts", "money/ stands above gateway/"],
  ["platform/webhooks/index.ts", "accounts/api-keys/index.ts", "accounts/ stands above platform/"],
  ["money/billing/index.ts", "money/credits/credits.repository.ts", "of other modules their index.ts"],
  ["hosting/deployments/calls.ts", "gateway/pipeline.ts", "of other modules their index.ts"],
  ["money/billing/index.ts", "config/settings.ts", "modules import modules only"],
])("%s may not import %s", (from, to, message) => {
  expect(refusal(from, to)).toContain(message);
});

const site = (path: string) => `packages/web/src/${path}`;
const siteRefusal = (from: string, to: string) =>
  refusalOf({ from: site(from), to: site(to), isType: false, isLazy: false });

test.each([
  ["lib/format.ts", "i18n/runtime.ts"],
  ["components/ui/forms/field.tsx", "lib/format.ts"],
  ["entities/models/queries.ts", "entities/session/user.ts"],
  ["features/chat/chat-view.tsx", "features/chat/thread/turn-list.tsx"],
  ["features/chat/chat-view.tsx", "entities/models/queries.ts"],
  ["app/router.tsx", "features/chat/chat-view.tsx"],
])("in the site %s may import %s", (from, to) => {
  expect(siteRefusal(from, to)).toBeNull();
});

test.each([
  ["lib/format.ts", "components/ui/forms/field.tsx", "know nothing of components"],
  ["components/ui/forms/field.tsx", "entities/session/user.ts", "know nothing of entities"],
  ["entities/models/queries.ts", "features/chat/chat-view.tsx", "know none of them"],
  ["features/chat/chat-view.tsx", "features/billing/plan-view.tsx", "a feature imports no other feature"],
  ["features/chat/chat-view.tsx", "app/router.tsx", "a feature imports no other feature"],
])("in the site %s may not import %s", (from, to, message) => {
  expect(siteRefusal(from, to)).toContain(message);
});

test("imports and re-exports of files are found, with those that are erased and those that are lazy marked", () => {
  const text = [
    'import { z } from "zod";',
    'import { a } from "../core/a.ts";',
    'import type { B } from "./b.ts";',
    'import { type C } from "./c.ts";',
    'export { d } from "./d.ts";',
    'export type { E } from "./e.ts";',
    'const f = () => import("./f.ts");',
    'type G = typeof import("./g.ts");',
  ].join("\n");
  expect(importsIn(server("http/x.ts"), text)).toEqual([
    { from: server("http/x.ts"), to: server("core/a.ts"), isType: false, isLazy: false },
    { from: server("http/x.ts"), to: server("http/b.ts"), isType: true, isLazy: false },
    { from: server("http/x.ts"), to: server("http/c.ts"), isType: true, isLazy: false },
    { from: server("http/x.ts"), to: server("http/d.ts"), isType: false, isLazy: false },
    { from: server("http/x.ts"), to: server("http/e.ts"), isType: true, isLazy: false },
    { from: server("http/x.ts"), to: server("http/f.ts"), isType: false, isLazy: true },
    { from: server("http/x.ts"), to: server("http/g.ts"), isType: true, isLazy: false },
  ]);
});

test("a circle is found however long it is, and a chain is none", () => {
  const graph = (edges: Record<string, string[]>) =>
    new Map(Object.entries(edges).map(([node, targets]) => [node, new Set(targets)]));
  expect(findCircles(graph({ a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"] }))).toEqual([["a", "b", "c"]]);
  expect(findCircles(graph({ a: ["b", "c"], b: ["c"], c: ["d"] }))).toEqual([]);
});

describe("circles between siblings", () => {
  const cli = (path: string) => `packages/cli/src/${path}`;
  const imported = (from: string, to: string, kind: Partial<Import> = {}) => ({
    from: cli(from),
    to: cli(to),
    isType: false,
    isLazy: false,
    ...kind,
  });

  test("a circle of a file and a folder beside it is found, though each of its files is in none", () => {
    const imports = [
      imported("context.ts", "commands/command-group.ts", { isType: true }),
      imported("commands/keys/list.ts", "command.ts"),
      imported("command.ts", "context.ts", { isType: true }),
    ];
    expect(findSiblingCircles("packages/cli/src", imports)).toEqual([
      [cli("command.ts"), cli("commands"), cli("context.ts")],
    ]);
  });

  test("a circle that a lazy import closes between siblings further down is found", () => {
    const imports = [
      imported("commands/keys/list.ts", "commands/models/model.ts"),
      imported("commands/models/list.ts", "commands/keys/key.ts", { isLazy: true }),
    ];
    expect(findSiblingCircles("packages/cli/src", imports)).toEqual([[cli("commands/keys"), cli("commands/models")]]);
  });

  test("imports that all run downwards between siblings are no circle", () => {
    const imports = [
      imported("create-context.ts", "sign-in/credential.ts"),
      imported("sign-in/credential.ts", "context.ts"),
      imported("commands/keys/list.ts", "context.ts"),
    ];
    expect(findSiblingCircles("packages/cli/src", imports)).toEqual([]);
  });
});
