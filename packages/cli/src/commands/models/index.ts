import { type AnyCommand, entry } from "../../command.ts";
import { modelsList } from "./list.ts";
import { modelsShow } from "./show.ts";

export const commands: readonly AnyCommand[] = [entry(modelsList), entry(modelsShow)];
