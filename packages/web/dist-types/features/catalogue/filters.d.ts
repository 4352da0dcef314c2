import type { FilterState, SetFilter } from "./filter-state.ts";
type Count = {
    value: string;
    label: string;
    count: number;
};
type Props = {
    facets: Record<string, Count[]> | undefined;
    filters: FilterState;
    set: SetFilter;
};
/** The filters of the catalogue with how many models each choice gives. */
export declare function Filters({ facets, filters, set }: Props): import("react").JSX.Element;
export {};
