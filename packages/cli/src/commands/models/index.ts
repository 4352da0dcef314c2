import { type AnyCommand, entry } from "../../command.ts";
import { modelsRequest, modelsUnlock } from "./access.ts";
import { modelsFamilies, modelsPopular, modelsReleases } from "./browse.ts";
import { modelsFavorite } from "./favorite.ts";
import { modelsList } from "./list.ts";
import { modelsPull } from "./pull.ts";
import { modelsPullsCancel, modelsPullsList } from "./pulls.ts";
import { modelsReviewsList, modelsReviewsWrite } from "./reviews.ts";
import { modelsSearch } from "./search.ts";
import { modelsShow } from "./show.ts";

/** The commands of `models`. */
export const commands: readonly AnyCommand[] = [
  entry(modelsList),
  entry(modelsSearch),
  entry(modelsShow),
  entry(modelsPopular),
  entry(modelsFamilies),
  entry(modelsReleases),
  entry(modelsFavorite),
  entry(modelsReviewsList),
  entry(modelsReviewsWrite),
  entry(modelsUnlock),
  entry(modelsRequest),
  entry(modelsPull),
  entry(modelsPullsList),
  entry(modelsPullsCancel),
];
