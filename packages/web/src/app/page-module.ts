import type { User } from "@feather/sdk";
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { Params } from "react-router-dom";

/** What the module of a page exports: its component, and how to load the data it needs. */
export type PageModule = {
  default: ComponentType;
  /**
   * The top of a page behind the login, heading and lede, if it is the same for everybody who may open the page. The
   * server sends it, so that it can be read before scripts run; the page then renders the same there.
   */
  Outline?: ComponentType;
  /** Loads into the cache what the page cannot be rendered without. Also runs when the page is prerendered. */
  prepare?(client: QueryClient, path: string): Promise<unknown>;
  /**
   * Loads into the cache what the page reads first. The page also renders without it. `user` is the one who may see the
   * page; null for public pages, which do not wait for the user.
   */
  prefetch?(client: QueryClient, location: PageLocation, user: User | null): Promise<unknown>;
};

/** The part of the URL that decides what a page loads. */
export type PageLocation = { pathname: string; search: string; params: Params };

/** Loads the chunk of a page. */
export type ImportPage = () => Promise<PageModule>;
