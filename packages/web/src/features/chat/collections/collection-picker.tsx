import type { Collection } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { CheckboxField } from "#/components/ui/forms/checkbox-field.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { queries } from "#/lib/queries.ts";
import { MAX_CHOSEN_COLLECTIONS } from "./chosen-collections.ts";

type Props = { chosen: readonly string[]; setChosen(ids: readonly string[]): void; onClose(): void };

/** Chooses the collections of documents that the questions of this conversation search. */
export function CollectionPicker({ chosen, setChosen, onClose }: Props) {
  const list = useQuery(queries.collections.list.queryOptions());
  return (
    <Dialog open onClose={onClose} title={t`Collections in this chat`}>
      <p className="muted">
        {t`Each question searches the ticked ones first, and its model gets the passages that go with it.`}
      </p>
      <Loaded subject={t`the collections`} query={list}>
        {({ items }) => <CollectionChoice items={items} chosen={chosen} setChosen={setChosen} />}
      </Loaded>
      <div className="actions">
        <Link className="btn" to={paths.collections}>
          {t`Manage collections`}
        </Link>
        <button type="button" className="btn" onClick={onClose}>
          {t`Done`}
        </button>
      </div>
    </Dialog>
  );
}

type ChoiceProps = Pick<Props, "chosen" | "setChosen"> & { items: readonly Collection[] };

function CollectionChoice({ items, chosen, setChosen }: ChoiceProps) {
  const gone = chosen.filter((id) => !items.some((collection) => collection.id === id));
  const toggle = (id: string, isOn: boolean) => setChosen(isOn ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <>
      {items.map((collection) => (
        <CheckboxField
          key={collection.id}
          label={collection.name}
          hint={describe(collection)}
          checked={chosen.includes(collection.id)}
          disabled={chosen.length >= MAX_CHOSEN_COLLECTIONS && !chosen.includes(collection.id)}
          onChange={({ target }) => toggle(collection.id, target.checked)}
        />
      ))}
      {gone.map((id) => (
        <CheckboxField
          key={id}
          label={id}
          hint={t`It is not there any more, or you may not read it.`}
          checked
          onChange={() => toggle(id, false)}
        />
      ))}
      {items.length === 0 ? (
        <p className="mt-4">
          <Trans>
            There are no collections yet. <Link to={paths.docs("collections")}>How collections work</Link>
          </Trans>
        </p>
      ) : null}
    </>
  );
}

function describe({ description, documents, access }: Collection): string {
  const count = plural(documents, { one: "# document", other: "# documents" });
  const who = access === "owner" ? t`only you may read it` : t`all members may read it`;
  return [description, `${count}, ${who}`].filter(Boolean).join(" · ");
}
