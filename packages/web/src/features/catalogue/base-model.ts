import type { Model } from "./queries.ts";

/** Whether a model continues texts and was not trained to converse, as its tags say. */
export const isBaseModel = ({ tags }: Pick<Model, "tags">): boolean => tags.includes("base") && !tags.includes("chat");
