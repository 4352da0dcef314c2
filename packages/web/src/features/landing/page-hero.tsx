import type { ReactNode } from "react";
import styles from "./page-hero.module.css";

type HeroProps = { kicker?: string; title: string; lede: ReactNode; children?: ReactNode; aside?: ReactNode };

/** The top of a landing page: title, one sentence and the main action. */
export function PageHero({ kicker, title, lede, children, aside }: HeroProps) {
  return (
    <header
      className={aside ? `page-width ${styles.landingHero} ${styles.withAside}` : `page-width ${styles.landingHero}`}
    >
      <div>
        {kicker ? <p className="small faint mb-2">{kicker}</p> : null}
        <h1 className="h1">{title}</h1>
        <p className="lede mt-4">{lede}</p>
        {children ? <div className="row wrapping mt-6">{children}</div> : null}
      </div>
      {aside ? <div className={styles.landingAside}>{aside}</div> : null}
    </header>
  );
}
