import { createQueries } from "@feather/sdk/react";
import { feather } from "./feather.ts";

/** The options of every call for TanStack Query; their keys are the names of the call and its inputs. */
export const queries = createQueries(feather);
