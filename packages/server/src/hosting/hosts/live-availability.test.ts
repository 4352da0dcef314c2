import { expect, test } from "vitest";
import type { Loading } from "../../gateway/index.ts";
import { type Availability, COLD_AVAILABILITY as COLD } from "./host.ts";
import { createLiveAvailability } from "./live-availability.ts";

type Tier = "warm" | "cold" | "offline";

const LOADING: Availability = { tier: "loading", stage: "weights", progress: 0.5, readyAt: new Date(5_000) };
const DOWNLOAD: Loading = { tier: "loading", stage: "downloading", progress: 0.1, readyAt: null };
const NO_MEMORY = "This machine has too little memory for it.";

/** Looks up a model that backends, the host and the downloads know as given; by default none of them knows it. */
function lookUp(known: {
  tier?: Tier;
  recent?: boolean;
  hosted?: Availability | null;
  download?: Loading | null;
  problem?: string | null;
}) {
  const { tier = "offline", recent = false, hosted = null, download = null, problem = null } = known;
  const registry = { availability: () => ({ tier, recent, known: tier !== "offline" }) };
  const host = { availability: () => hosted, loadingProblem: () => problem };
  return createLiveAvailability(registry, host, { loading: () => download }).availability("acme/small");
}

test("a model that nothing knows is offline, without a reason", () => {
  const expected = { tier: "offline", recent: false, loading: null, reason: null, isDownloading: false };
  expect(lookUp({})).toEqual(expected);
});

test("a model that cannot be loaded is offline, with what prevents it", () => {
  expect(lookUp({ problem: NO_MEMORY })).toMatchObject({ tier: "offline", reason: NO_MEMORY });
});

test("a model on a backend that answers is warm, whatever this machine could do with it", () => {
  const known = { hosted: COLD, download: DOWNLOAD, problem: NO_MEMORY };
  const expected = { tier: "warm", recent: true, loading: null, reason: null, isDownloading: false };
  expect(lookUp({ tier: "warm", recent: true, ...known })).toEqual(expected);
});

test.each(["offline", "cold"] as const)("a model that is %s elsewhere is as far as this machine says", (tier) => {
  expect(lookUp({ tier, hosted: LOADING })).toMatchObject({ tier: "loading", loading: LOADING });
  expect(lookUp({ tier, hosted: COLD })).toMatchObject({ tier: "cold", loading: COLD });
});

test("a model that is being downloaded says so, unless a backend or this machine has it already", () => {
  expect(lookUp({ download: DOWNLOAD })).toMatchObject({ tier: "loading", loading: DOWNLOAD, isDownloading: true });
  expect(lookUp({ download: DOWNLOAD, hosted: COLD })).toMatchObject({ loading: COLD, isDownloading: false });
  expect(lookUp({ download: DOWNLOAD, tier: "cold" })).toMatchObject({ tier: "cold", isDownloading: false });
});

test("what delays the loading comes before what prevents it", () => {
  const reason = "It waits for memory that another model has.";
  expect(lookUp({ hosted: { ...COLD, reason }, problem: NO_MEMORY })).toMatchObject({ tier: "cold", reason });
});

test("a model that a backend can run has no reason of this machine", () => {
  expect(lookUp({ tier: "cold", problem: NO_MEMORY })).toMatchObject({ tier: "cold", reason: null });
});
