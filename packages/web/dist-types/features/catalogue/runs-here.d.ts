import { type Model } from "./queries.ts";
/** Speed and errors of the model's class in the last hour, from real requests. */
export declare function RunsHere({ model }: {
    model: Model;
}): import("react").JSX.Element;
