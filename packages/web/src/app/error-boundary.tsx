import { Component, type ReactNode } from "react";

type Props = {
  /** A change resets the boundary, so that the next page is rendered. */
  resetKey: string;
  /** Renders the error in place of the children. */
  renderError(error: unknown): ReactNode;
  children: ReactNode;
};
type State = { failed: { error: unknown } | null; resetKey: string };

/** Catches errors that are thrown during rendering. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { failed: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.renderError(this.state.failed.error) : this.props.children;
  }
}
