import type { Model } from "@feather/sdk";

/** Returns whether a model is a base model that was not trained to chat, judged by its tags. */
export const isBaseModel = ({ tags }: Pick<Model, "tags">): boolean => tags.includes("base") && !tags.includes("chat");
