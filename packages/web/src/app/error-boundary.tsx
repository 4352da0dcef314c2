import { Component, type ReactNode } from "react";

type Props = {
  /** A change resets the boundary, so that the next page is rendered. */
  page: string;
  /** Renders the error in place of the children. */
  instead(error: unknown): ReactNode;
  children: ReactNode;
};
type State = { failed: { error: unknown } | null; page: string };

/** Catches errors that are thrown during rendering. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null, page: this.props.page };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.page === state.page ? null : { failed: null, page: props.page };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead(this.state.failed.error) : this.props.children;
  }
}
