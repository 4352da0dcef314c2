import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { modelQuery } from "#/entities/models/queries.ts";
import { queries } from "#/lib/queries.ts";
import { pullsQuery } from "./queries.ts";

/**
 * Returns the last download of a model, undefined where there is none, and when it was read, in milliseconds since 1970. Once
 * it is done, the model can be called: its page and the requests for it are then loaded again.
 */
export function usePull(id: string) {
  const { data, dataUpdatedAt } = useQuery(pullsQuery);
  const client = useQueryClient();
  const pull = data?.items.find(({ model_id }) => model_id.toLowerCase() === id.toLowerCase());
  const state = pull?.state;
  useEffect(() => {
    if (state !== "done") return;
    void client.invalidateQueries({ queryKey: modelQuery(id).queryKey });
    void client.invalidateQueries({ queryKey: queries.admin.models.requests.key() });
  }, [client, id, state]);
  return { pull, updatedAt: dataUpdatedAt };
}
