/**
 * Styles of the documentation page, besides those of Swagger UI. The first rule replaces the style attribute that the page
 * removes. The hidden badges say that the document is OpenAPI 2.0, and which prefix the paths have, which matters to no
 * reader. Most other rules are for contrast: the default colors have too little for WCAG AA. Examples have their whole height,
 * because the keyboard cannot scroll them.
 */
export const DOCS_CSS = `
    body > svg { position: absolute; width: 0; height: 0; }
    .swagger-ui .info { margin: 24px 0 8px; }
    .swagger-ui .info hgroup.main { margin: 0 0 12px; }
    .swagger-ui .info .title { font-size: 28px; }
    .swagger-ui .info .title small { background: #5b626d; }
    .swagger-ui .info .markdown h2 { margin: 8px 0; font-size: 18px; }
    .swagger-ui .info .markdown p { max-width: 90ch; margin: 8px 0; font-size: 14px; line-height: 1.5; }
    .swagger-ui .info .markdown pre { margin: 8px 0; }
    .swagger-ui .info .title small.version-stamp, .swagger-ui .info .base-url,
    .swagger-ui .info hgroup.main > a, .swagger-ui .info__contact, .swagger-ui .info__license { display: none; }
    .swagger-ui .opblock-tag { padding: 6px 20px 6px 10px; }
    .swagger-ui .info a, .swagger-ui .markdown a { color: #1f5fae; text-decoration: underline; }
    .swagger-ui .opblock-tag small, .swagger-ui .opblock.opblock-deprecated * { color: #46505a; }
    .swagger-ui .opblock.opblock-deprecated { opacity: 1; }
    .swagger-ui .opblock .opblock-summary .opblock-summary-method { color: #fff; text-shadow: none; }
    .swagger-ui .opblock-get .opblock-summary .opblock-summary-method { background: #1b5fa8; }
    .swagger-ui .opblock-post .opblock-summary .opblock-summary-method { background: #1d6f42; }
    .swagger-ui .opblock-delete .opblock-summary .opblock-summary-method { background: #b3261e; }
    .swagger-ui .opblock-deprecated .opblock-summary .opblock-summary-method { background: #5b626d; }
    .swagger-ui .parameter__in, .swagger-ui .prop-format { color: #5b626d; }
    .swagger-ui .btn.cancel { border-color: #b3261e; color: #b3261e; }
    .swagger-ui .btn.execute { border-color: #1b5fa8; background: #1b5fa8; }
    .swagger-ui .highlight-code > .microlight { max-height: none; overflow-wrap: anywhere; }
    .swagger-ui .download-contents { background: #5b626d; }
    footer { max-width: 1460px; margin: 0 auto 40px; padding: 0 20px; font: 14px/1.5 sans-serif; color: #3b4151; }
    footer a { color: #1f5fae; }
    html.dark-mode body { background: #1c2022; }
    html.dark-mode .swagger-ui .parameter__in, html.dark-mode .swagger-ui .prop-format,
    html.dark-mode .swagger-ui .response-col_description .headers td { color: #c3cbd2; }
    html.dark-mode .swagger-ui .btn.cancel { border-color: #ffb4ab; color: #ffb4ab; }
    html.dark-mode .swagger-ui .expand-operation svg path, html.dark-mode .swagger-ui .models-control svg path,
    html.dark-mode .swagger-ui .opblock-control-arrow svg path { fill: #e4e6e6; }
    html.dark-mode .swagger-ui .info a, html.dark-mode .swagger-ui .markdown a, html.dark-mode footer a { color: #8cc4ff; }
    html.dark-mode .swagger-ui .opblock.opblock-deprecated .opblock-summary-method {
      background: #c3cbd2; color: #080a0b;
    }
    html.dark-mode .swagger-ui .opblock-tag small,
    html.dark-mode .swagger-ui .opblock.opblock-deprecated *, html.dark-mode footer { color: #c3cbd2; }
  `;
