import { Component, createRef } from 'preact';
import { Header } from './header.js';
import { Message } from './messages/message.js';
import { LazyPlace } from './place/lazy-place.js';
import { RecentSearches } from './search/recent-searches.js';
import { SearchForm } from './search/search-form.js';
import { Developers } from './start/developers.js';
import { Examples } from './start/examples.js';
import type { Actions } from './state/actions.js';
import type { State } from './state/store.js';

interface AppProps {
  /** Not `state`, which is a member of every component. */
  page: State;
  actions: Actions;
}

/** The page: the search, and below it the weather of a place, or why there is none, or the start. */
export class App extends Component<AppProps> {
  readonly field = createRef<HTMLInputElement>();
  readonly heading = createRef<HTMLHeadingElement>();

  /** Moves the focus to the result of a search, unless the user has moved it meanwhile. */
  override componentDidUpdate({ page: before }: AppProps): void {
    const { problem, weather, isLoading, movesFocus } = this.props.page;
    const hasEnded =
      problem !== before.problem || weather?.conditions !== before.weather?.conditions;
    const isLost = document.activeElement === document.body;
    if (isLoading || !hasEnded || !isLost || !movesFocus) return;
    // On a phone, the field opens the keyboard, which covers the message.
    const isTouch = matchMedia('(pointer: coarse)').matches;
    if (!problem) this.heading.current?.focus();
    else if (!isTouch) this.field.current?.focus();
  }

  override render({ page, actions }: AppProps) {
    const { weather, problem, query, isLoading, system, recent } = page;
    const hasPlace = isLoading || weather !== undefined;
    if (!weather) document.title = 'Weather';
    return (
      <>
        <Header system={system} actions={actions} />
        <main class={hasPlace ? '' : 'start'}>
          {!query && !problem && <h2>The weather anywhere</h2>}
          <SearchForm page={page} actions={actions} field={this.field} />
          {problem && <Message problem={problem} actions={actions} />}
          {hasPlace && <LazyPlace page={page} actions={actions} heading={this.heading} />}
          <RecentSearches recent={recent} actions={actions} />
          {!hasPlace && <Examples actions={actions} />}
          {!hasPlace && <Developers />}
        </main>
        <footer>
          <a href="apidocs/">API documentation</a>
          <a href="openapi.json">OpenAPI description</a>
        </footer>
      </>
    );
  }
}
