/**
 * Runs inside the browser page, beside one charting library: draws candles in the default style of that library and reports where they stand.
 * Each drawer resolves to the centre columns (`xs`) and the rows of the closes, in CSS pixels of the page.
 */

const box = () => document.querySelector('#chart');
const offset = () => box().getBoundingClientRect();
const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const seconds = ({ time }) => time / 1000;
const decimals = (candles) => (candles[0].close > 1000 ? 1 : candles[0].close > 10 ? 2 : 5);

async function drawLightweight({ candles, kind, isDark, isLog, markers }) {
  const L = globalThis.LightweightCharts;
  const chart = L.createChart(box(), {
    width: box().clientWidth,
    height: box().clientHeight,
    ...(isDark && {
      layout: { background: { color: '#131722' }, textColor: '#d1d4dc' },
      grid: { vertLines: { color: '#232733' }, horzLines: { color: '#232733' } },
    }),
    timeScale: { timeVisible: true },
    rightPriceScale: { mode: isLog ? 1 : 0 },
  });
  const type = { candles: L.CandlestickSeries, ohlc: L.BarSeries, line: L.LineSeries, area: L.AreaSeries }[kind];
  const priceFormat = { type: 'price', precision: decimals(candles), minMove: 10 ** -decimals(candles) };
  const series = chart.addSeries(type, { priceFormat });
  const isClose = kind === 'line' || kind === 'area';
  series.setData(
    candles.map((candle) =>
      isClose
        ? { time: seconds(candle), value: candle.close }
        : { time: seconds(candle), open: candle.open, high: candle.high, low: candle.low, close: candle.close },
    ),
  );
  if (markers) {
    L.createSeriesMarkers(
      series,
      candles
        .filter((_, at) => at % 9 === 4)
        .map((candle, at) => ({
          time: seconds(candle),
          position: at % 2 === 0 ? 'belowBar' : 'aboveBar',
          shape: at % 2 === 0 ? 'arrowUp' : 'arrowDown',
          color: at % 2 === 0 ? '#2196F3' : '#e91e63',
          text: at % 2 === 0 ? 'Buy' : 'Sell',
        })),
    );
  }
  chart.timeScale().fitContent();
  await frame();
  const { left, top } = offset();
  return {
    xs: candles.map((candle) => left + chart.timeScale().timeToCoordinate(seconds(candle))),
    rows: candles.map(({ close }) => top + series.priceToCoordinate(close)),
  };
}

async function drawEcharts({ candles, kind, markers }) {
  const chart = globalThis.echarts.init(box(), null, { renderer: 'canvas' });
  const labels = candles.map(({ time }) => new Date(time).toISOString().slice(5, 16).replace('T', ' '));
  const points = candles.map(({ time, close }, at) => ({ at, time, close })).filter(({ at }) => at % 11 === 5);
  const markPoint = { data: points.map(({ at, close }) => ({ coord: [at, close], value: Math.round(close) })) };
  chart.setOption({
    animation: false,
    xAxis: { type: 'category', data: labels },
    yAxis: { scale: true },
    series: [
      {
        type: kind === 'candles' ? 'candlestick' : 'line',
        data:
          kind === 'candles'
            ? candles.map(({ open, close, low, high }) => [open, close, low, high])
            : candles.map(({ close }) => close),
        ...(kind === 'line' && { showSymbol: false }),
        ...(markers && { markPoint }),
      },
    ],
  });
  await frame();
  const { left, top } = offset();
  const places = candles.map(({ close }, at) => chart.convertToPixel({ seriesIndex: 0 }, [at, close]));
  return { xs: places.map(([x]) => left + x), rows: places.map(([, y]) => top + y) };
}

async function drawChartjs({ candles, kind }) {
  const { Chart } = globalThis;
  const hour = 3_600_000;
  // The scale of dates wants an adapter; this one knows numbers only.
  Chart._adapters._date.override({
    formats: () => ({
      datetime: '',
      millisecond: '',
      second: '',
      minute: '',
      hour: '',
      day: '',
      week: '',
      month: '',
      quarter: '',
      year: '',
    }),
    parse: (value) => (value === null || value === undefined ? null : Number(value)),
    format: (time) => new Date(time).toISOString().slice(5, 16).replace('T', ' '),
    add: (time, amount, unit) =>
      time + amount * ({ day: 24 * hour, hour, minute: hour / 60, second: 1000 }[unit] ?? 24 * hour),
    diff: (a, b, unit) => (a - b) / ({ day: 24 * hour, hour, minute: hour / 60, second: 1000 }[unit] ?? 24 * hour),
    startOf: (time, unit) =>
      Math.floor(time / ({ day: 24 * hour, hour }[unit] ?? hour)) * ({ day: 24 * hour, hour }[unit] ?? hour),
    endOf: (time) => time,
  });
  const canvas = document.createElement('canvas');
  box().append(canvas);
  const isClose = kind === 'line';
  const chart = new Chart(canvas, {
    type: isClose ? 'line' : kind === 'ohlc' ? 'ohlc' : 'candlestick',
    data: {
      datasets: [
        {
          label: 'BTCUSDT 1h',
          data: candles.map(({ time, open, high, low, close }) =>
            isClose ? { x: time, y: close } : { x: time, o: open, h: high, l: low, c: close },
          ),
          ...(isClose && { pointRadius: 0 }),
        },
      ],
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      ...(isClose && { scales: { x: { type: 'time' } } }),
    },
  });
  await frame();
  const { left, top } = canvas.getBoundingClientRect();
  return {
    xs: candles.map(({ time }) => left + chart.scales.x.getPixelForValue(time)),
    rows: candles.map(({ close }) => top + chart.scales.y.getPixelForValue(close)),
  };
}

async function drawHighcharts({ candles, kind, markers, labelSize }) {
  const H = globalThis.Highcharts;
  const type = { candles: 'candlestick', ohlc: 'ohlc', line: 'line' }[kind];
  const data = candles.map(({ time, open, high, low, close }) =>
    kind === 'line' ? [time, close] : [time, open, high, low, close],
  );
  const flags = candles
    .filter((_, at) => at % 13 === 6)
    .map(({ time }, at) => ({ x: time, title: at % 2 === 0 ? 'B' : 'S' }));
  const chart = H.stockChart(box(), {
    chart: { animation: false },
    title: { text: 'BTCUSDT 1h' },
    ...(labelSize && { yAxis: { labels: { style: { fontSize: `${labelSize}px` } } } }),
    series: [
      { id: 'price', type, name: 'BTCUSDT', data, animation: false, dataGrouping: { enabled: false } },
      ...(markers ? [{ type: 'flags', onSeries: 'price', data: flags, animation: false }] : []),
    ],
  });
  await frame();
  const { left, top } = offset();
  return {
    xs: candles.map(({ time }) => left + chart.xAxis[0].toPixels(time)),
    rows: candles.map(({ close }) => top + chart.yAxis[0].toPixels(close)),
  };
}

async function drawKlinecharts({ candles, kind, isDark }) {
  const K = globalThis.klinecharts;
  const type = { candles: 'candle_solid', hollow: 'candle_stroke', ohlc: 'ohlc', area: 'area' }[kind];
  const chart = K.init(box(), { styles: isDark ? 'dark' : 'light' });
  if (isDark) box().style.background = '#1b1b1f';
  chart.setStyles({ candle: { type } });
  chart.setSymbol({ ticker: 'BTCUSDT', pricePrecision: decimals(candles), volumePrecision: 0 });
  chart.setPeriod({ type: 'hour', span: 1 });
  chart.setDataLoader({
    getBars: ({ callback }) =>
      callback(
        candles.map(({ time, open, high, low, close, volume }) => ({
          timestamp: time,
          open,
          high,
          low,
          close,
          volume,
        })),
        { backward: false, forward: false },
      ),
  });
  chart.setBarSpace((box().clientWidth - 110) / candles.length);
  chart.setOffsetRightDistance(10);
  await frame();
  await frame();
  const { left, top } = offset();
  const places = chart.convertToPixel(
    candles.map(({ time, close }) => ({ timestamp: time, value: close })),
    { paneId: 'candle_pane', absolute: true },
  );
  return { xs: places.map(({ x }) => left + x), rows: places.map(({ y }) => top + y) };
}

const drawers = {
  lightweight: drawLightweight,
  echarts: drawEcharts,
  chartjs: drawChartjs,
  highcharts: drawHighcharts,
  klinecharts: drawKlinecharts,
};

globalThis.drawLibrary = (name, options) => drawers[name](options);
