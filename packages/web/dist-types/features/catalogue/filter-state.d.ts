import type { ModelFilters } from "./queries.ts";
declare const NAMES: readonly ["search", "availability", "size", "family", "tags", "license", "sort", "page"];
/** The filters as they stand in the address, so that a list can be linked to, reloaded and gone back to. */
export type FilterState = Partial<Record<(typeof NAMES)[number], string>>;
export type SetFilter = (change: FilterState) => void;
export declare function readFilters(params: URLSearchParams): FilterState;
/** The address after a change: back on the first page, and without empty filters. */
export declare function writeFilters(state: FilterState, change: FilterState): URLSearchParams;
/** The query of the call for what stands in the address. What makes no sense is left out. */
export declare function toQuery(state: FilterState, perPage: number): ModelFilters;
export {};
