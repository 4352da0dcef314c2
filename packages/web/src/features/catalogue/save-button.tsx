import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Star } from "#/components/ui/bits.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { type Model, modelQuery } from "./queries.ts";

/** Puts a model among the reader's own, or takes it out again. */
export function SaveButton({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const client = useQueryClient();
  const toast = useToast();
  const { queryKey } = modelQuery(model.id);
  const saved = model.is_favorite === true;
  const change = useMutation({
    mutationFn: async () => (saved ? feather.models.unfavorite(model.id) : feather.models.favorite(model.id)),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: () =>
      toast({ title: t`It could not be saved`, description: t`Try again in a moment.`, variant: "destructive" }),
  });
  if (!signedIn)
    return (
      <Link className="btn" to={paths.login(paths.model(model.id))}>
        <Star lit={false} /> {t`Save`}
      </Link>
    );
  return (
    <button
      type="button"
      className="btn"
      aria-pressed={saved}
      onClick={() => change.mutate()}
      disabled={change.isPending}
    >
      <Star lit={saved} /> {saved ? t`Saved` : t`Save`}
    </button>
  );
}
