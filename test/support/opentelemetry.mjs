// OpenTelemetry's SDK and its instrumentation of HTTP, as an operator attaches them: `--import` of this file. Each span
// that ends becomes a line of the file that SPANS_FILE names.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const { name, kind, attributes, parentSpanContext, status } = span;
      const line = {
        traceId,
        spanId,
        parentId: parentSpanContext?.spanId,
        name,
        kind,
        attributes,
        status,
      };
      appendFileSync(process.env.SPANS_FILE, `${JSON.stringify({ ...line, pid: process.pid })}\n`);
    }
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
new HttpInstrumentation();
