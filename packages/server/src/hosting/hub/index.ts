export { architectureOf, type CompatibilityResult, checkCompatibility, type SupportedBase } from "./compatibility.ts";
export { addPackagedModels, createHub } from "./create-hub.ts";
export type { Hub, HubDownload, HubFile, HubMatch, HubModel } from "./hub.ts";
export { logReachability } from "./reachability.ts";
export { createReadCard, README_NOT_SHOWN, type ReadCard } from "./read-card.ts";
