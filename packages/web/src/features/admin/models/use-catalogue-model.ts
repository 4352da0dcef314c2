import type { ModelRequest } from "@feather/sdk";
import { useQuery } from "@tanstack/react-query";
import { modelQuery } from "#/entities/models/queries.ts";

/** A model of the catalogue as its page reads it; nothing is read of others. */
export const useCatalogueModel = ({ model_id, in_catalogue }: ModelRequest) =>
  useQuery({ ...modelQuery(model_id), enabled: in_catalogue }).data;
