import type { BackendProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Link } from "react-router-dom";
import { SearchField } from "#/components/ui/controls/search-field.tsx";
import { adminPaths } from "../../paths.ts";
import styles from "./provider-grid.module.css";
import { PROVIDER_KINDS } from "./provider-labels.ts";
import { ProviderMark } from "./provider-mark.tsx";

type Props = {
  providers: readonly BackendProvider[];
  /** Opens the form for a server that is none of the providers. */
  addOther(): void;
};

/** The providers by kind, with a search, and another server at the end. */
export function ProviderGrid({ providers, addOther }: Props) {
  const [search, setSearch] = useState("");
  const found = providers.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <SearchField label={t`Search providers`} value={search} onSearch={setSearch} />
      {found.length === 0 ? (
        <p className="muted mt-6" role="status">
          {t`No provider has this name. Any address that speaks OpenAI's or Anthropic's protocol can be added as another server.`}
        </p>
      ) : null}
      {PROVIDER_KINDS.map(({ kind, title, description }) => {
        const ofKind = found.filter((provider) => provider.kind === kind);
        if (ofKind.length === 0) return null;
        return (
          <section key={kind} className={styles.kind}>
            <div>
              <h2 className="h4">{title}</h2>
              <p className="small muted">{description}</p>
            </div>
            <ul className={styles.tiles}>
              {ofKind.map(({ id, name }) => (
                <li key={id}>
                  <Link className={styles.tile} to={adminPaths.newBackend(id)}>
                    <ProviderMark name={name} />
                    <span className="strong">{name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <section className={styles.kind}>
        <div>
          <h2 className="h4">{t`Another server`}</h2>
          <p className="small muted">{t`vLLM, llama.cpp, Ollama or LM Studio elsewhere, or another Feather.`}</p>
        </div>
        <div>
          <button type="button" className="btn" onClick={addOther}>
            {t`Enter its address`}
          </button>
        </div>
      </section>
    </>
  );
}
