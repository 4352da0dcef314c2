import type { Backend } from "@feather/sdk";
import type { Column } from "../output/table.ts";

const PAINT = { healthy: "green", cooling_down: "amber", unreachable: "red", disabled: "dim" } as const;

/** The columns of backends. */
export const BACKEND_COLUMNS: readonly Column<Backend>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  {
    header: "STATE",
    cell: ({ state }) => state.replace("_", " "),
    plain: ({ state }) => state,
    paint: (text, style, { state }) => style[PAINT[state]](text),
  },
  {
    header: "MODELS",
    cell: ({ models }) => String(models.length),
    plain: ({ models }) => models.join(","),
    align: "right",
    dropOrder: 1,
  },
  {
    header: "SIZE UNKNOWN",
    cell: ({ unsized_models }) => (unsized_models.length > 0 ? String(unsized_models.length) : ""),
    plain: ({ unsized_models }) => unsized_models.join(","),
    align: "right",
    dropOrder: 4,
  },
  { header: "RUNNING", cell: ({ in_flight }) => String(in_flight), align: "right", dropOrder: 3 },
  { header: "FROM", cell: ({ source }) => source, dropOrder: 5 },
  { header: "ADDRESS", cell: ({ base_url }) => base_url, dropOrder: 2 },
  { header: "LAST ERROR", cell: ({ last_error }) => last_error ?? "", dropOrder: 6 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
];
