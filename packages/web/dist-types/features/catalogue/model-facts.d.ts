import type { Model } from "./queries.ts";
/** How to call a model, whether the reader may, and what is known of it. */
export declare function ModelFacts({ model, signedIn }: {
    model: Model;
    signedIn: boolean;
}): import("react").JSX.Element;
