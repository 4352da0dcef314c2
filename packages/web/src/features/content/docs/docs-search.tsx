import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import contentStyles from "../content.module.css";
import { loadSearchPages } from "../pages.ts";
import styles from "./docs-search.module.css";
import { type SearchHit, searchDocs } from "./search.ts";

const NO_HITS: readonly SearchHit[] = [];

/** Searches the docs while typing. Arrow keys select, Enter opens, Escape closes. */
export function DocsSearch() {
  const [text, setText] = useState("");
  const [activeIndex, setActiveIndex] = useState(0);
  const [isActive, setActive] = useState(false);
  const navigate = useNavigate();
  const id = useId();
  const { data: pages, isError } = useQuery({
    queryKey: ["docs", "search"],
    queryFn: loadSearchPages,
    enabled: isActive,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const query = text.trim();
  const hits = pages && query !== "" ? searchDocs(pages, query) : NO_HITS;
  const isOpen = query !== "" && (pages !== undefined || isError);

  function close(): void {
    setText("");
    setActiveIndex(0);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      event.preventDefault();
      setActiveIndex((activeIndex + step + hits.length) % hits.length);
    }
    const hit = hits[activeIndex];
    if (event.key === "Enter" && hit) {
      event.preventDefault();
      close();
      navigate(hit.to);
    }
    if (event.key === "Escape") close();
  }

  return (
    <search className={styles.docsSearch}>
      <input
        className="input"
        type="search"
        role="combobox"
        aria-label={t`Search the docs`}
        aria-expanded={isOpen}
        aria-controls={`${id}-hits`}
        aria-activedescendant={isOpen && hits.length > 0 ? `${id}-${activeIndex}` : undefined}
        placeholder={t`Search the docs`}
        autoComplete="off"
        value={text}
        onFocus={() => setActive(true)}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setActiveIndex(0);
        }}
      />
      {isOpen ? (
        <div className={contentStyles.docsHits}>
          <p className="visually-hidden" role="status">
            {isError ? t`The search cannot be loaded.` : plural(hits.length, { one: "# result", other: "# results" })}
          </p>
          {hits.length === 0 ? (
            <p className="small muted">
              {isError
                ? t`The search cannot be loaded just now. Reload the page to try again.`
                : t`Nothing in the docs holds “${query}”.`}
            </p>
          ) : null}
          <div role="listbox" id={`${id}-hits`} aria-label={t`Results`}>
            {hits.map((hit, index) => (
              <Link
                key={hit.to}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === activeIndex}
                tabIndex={-1}
                to={hit.to}
                onClick={close}
              >
                <span className={contentStyles.hitTitle}>{hit.titleScore}</span>
                <span className="tiny faint">{hit.section}</span>
                {hit.excerpt ? <span className={`tiny muted ${contentStyles.excerpt}`}>{hit.excerpt}</span> : null}
              </Link>
            ))}
          </div>
        </div>
      ) : null}
    </search>
  );
}
