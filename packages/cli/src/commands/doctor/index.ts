import { type AnyCommand, entry } from "../../command.ts";
import { doctor } from "./doctor.ts";

export const commands: readonly AnyCommand[] = [entry(doctor)];
