import type { Model } from "./queries.ts";
/** Models in rows. On small screens the columns that decide stay: name, size and state. */
export declare function ModelTable({ models, detailed }: {
    models: readonly Model[] | undefined;
    detailed?: boolean;
}): import("react").JSX.Element;
