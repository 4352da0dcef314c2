import { type AnyCommand, defineCommand } from "../../command.ts";
import { modelsRequest, modelsUnlock } from "./access.ts";
import { modelsFamilies, modelsPopular, modelsReleases } from "./browse.ts";
import { modelsFavorite } from "./favorite.ts";
import { modelsFiles } from "./files.ts";
import { modelsList } from "./list.ts";
import { modelsPin, modelsUnpin } from "./pin.ts";
import { modelsPull } from "./pull.ts";
import { modelsPullsCancel, modelsPullsList, modelsPullsPause, modelsPullsResume } from "./pulls.ts";
import { modelsReviewsList, modelsReviewsWrite } from "./reviews.ts";
import { modelsSearch } from "./search.ts";
import { modelsShow } from "./show.ts";
import { modelsStored } from "./stored.ts";

/** The commands of `models`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(modelsList),
  defineCommand(modelsSearch),
  defineCommand(modelsShow),
  defineCommand(modelsPopular),
  defineCommand(modelsFamilies),
  defineCommand(modelsReleases),
  defineCommand(modelsFavorite),
  defineCommand(modelsReviewsList),
  defineCommand(modelsReviewsWrite),
  defineCommand(modelsUnlock),
  defineCommand(modelsRequest),
  defineCommand(modelsFiles),
  defineCommand(modelsStored),
  defineCommand(modelsPin),
  defineCommand(modelsUnpin),
  defineCommand(modelsPull),
  defineCommand(modelsPullsList),
  defineCommand(modelsPullsPause),
  defineCommand(modelsPullsResume),
  defineCommand(modelsPullsCancel),
];
