import { STATUS_OK } from '../../abi/status';
import { VOTE_ICHIMOKU, VOTE_ICH_ALIGN, VOTE_ICH_CLOUD } from '../../abi/votes';
import { closeOf, highOf, lowOf } from '../columns';
import { ichimoku } from '../indicators/ichimoku';
import { VoteParameters } from '../records.gen';
import { addressOf } from '../series';
import { writeFirst, columnOf } from './columns';
import { voteIchimoku } from './ichimokuRules';

/** The three votes over the Ichimoku lines: one pass while they have the same lines, else a pass each. */
export function ichimokuVotes(
  columns: usize,
  length: i32,
  parameters: VoteParameters,
  votes: usize,
  stride: i32,
  first: usize,
  planes: usize,
): i32 {
  const tenkan = <i32>parameters.ichimokuTenkan;
  const kijun = <i32>parameters.ichimokuKijun;
  const span = <i32>parameters.ichimokuSpan;
  const lag = <i32>parameters.ichimokuDisplacement;
  const alignTenkan = <i32>parameters.ichAlignTenkan;
  const alignKijun = <i32>parameters.ichAlignKijun;
  const cloudTenkan = <i32>parameters.ichCloudTenkan;
  const cloudKijun = <i32>parameters.ichCloudKijun;
  const cloudSpan = <i32>parameters.ichCloudSpan;
  const cloudLag = <i32>parameters.ichCloudDisplacement;
  writeFirst(first, VOTE_ICHIMOKU, cloudWarmup(tenkan, kijun, span, lag), length);
  writeFirst(first, VOTE_ICH_ALIGN, linesWarmup(alignTenkan, alignKijun), length);
  writeFirst(first, VOTE_ICH_CLOUD, cloudWarmup(cloudTenkan, cloudKijun, cloudSpan, cloudLag), length);
  const whole = columnOf(votes, stride, VOTE_ICHIMOKU);
  const align = columnOf(votes, stride, VOTE_ICH_ALIGN);
  const cloud = columnOf(votes, stride, VOTE_ICH_CLOUD);
  const isAlignAlike = alignTenkan === tenkan && alignKijun === kijun;
  const isCloudAlike = cloudTenkan === tenkan && cloudKijun === kijun && cloudSpan === span && cloudLag === lag;
  const unwanted = addressOf(planes, 4 * length);
  const ownAlign = isAlignAlike ? align : unwanted;
  const ownCloud = isCloudAlike ? cloud : unwanted;
  let status = pass(columns, length, tenkan, kijun, span, lag, whole, ownAlign, ownCloud, planes);
  if (status === STATUS_OK && !isAlignAlike)
    status = pass(columns, length, alignTenkan, alignKijun, span, lag, unwanted, align, unwanted, planes);
  if (status === STATUS_OK && !isCloudAlike)
    status = pass(columns, length, cloudTenkan, cloudKijun, cloudSpan, cloudLag, unwanted, unwanted, cloud, planes);
  return status;
}

function linesWarmup(tenkan: i32, kijun: i32): i32 {
  return max(tenkan, kijun) - 1;
}

function cloudWarmup(tenkan: i32, kijun: i32, span: i32, lag: i32): i32 {
  return max(linesWarmup(tenkan, kijun), span - 1) + lag - 1;
}

function pass(
  columns: usize,
  length: i32,
  tenkan: i32,
  kijun: i32,
  span: i32,
  lag: i32,
  whole: usize,
  align: usize,
  cloud: usize,
  planes: usize,
): i32 {
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);
  const d = addressOf(planes, 3 * length);
  const status = ichimoku(highOf(columns), lowOf(columns), length, tenkan, kijun, span, lag, planes, b, c, d, 0);
  if (status !== STATUS_OK) return status;
  const alignFrom = min(linesWarmup(tenkan, kijun), length);
  const cloudFrom = min(cloudWarmup(tenkan, kijun, span, lag), length);
  voteIchimoku(closeOf(columns), planes, b, c, d, alignFrom, cloudFrom, length, whole, align, cloud);
  return STATUS_OK;
}
