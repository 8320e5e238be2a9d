// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.breaker.Permission;

/**
 * The widest frame on the way of a call. A call that comes past it has 16 kB of stack left for
 * taking its permits and for its way out, which is some dozens of frames of about 100 bytes. So
 * deep recursion ends here, with a {@link StackOverflowError} before any permit is taken, and not
 * half-way out with a permit that nothing gives back.
 *
 * <p>HotSpot asks for the room of a frame as it would be interpreted, also where it is compiled or
 * inlined, and only for frames that call another. So the variables below cost nothing once they are
 * compiled. Nothing reads them, and nor need you.
 */
public final class StackRoom {

  /**
   * What the widest frame calls. There are two kinds, so that the way of a call has no trace of
   * {@link #require} in it but a look at the class.
   */
  interface Next<P> {
    Permission admit(P plan, long now);
  }

  /** One more than HotSpot inlines of a method that calls itself. */
  private static final int CALLS = 3;

  /** Calls on, so that the widest frame has a call left where HotSpot inlines into it. */
  private static final Next<Permission> NOTHING = (answer, now) -> callOn(answer, CALLS);

  private StackRoom() {}

  /**
   * Returns if the stack has this room, for a step that comes before the gates, or without them.
   *
   * @throws StackOverflowError if it has not
   */
  public static void require() {
    Permission unused = admit(NOTHING, Permission.UNGUARDED, 0);
  }

  private static Permission callOn(Permission answer, int calls) {
    return calls == 0 ? answer : callOn(answer, calls - 1);
  }

  /**
   * {@link BreakerGate#admit} with this room.
   *
   * @param gate the breaker's
   * @throws StackOverflowError if the stack has not
   */
  static <P> Permission admit(Next<P> gate, P plan, long now) {
    @SuppressWarnings("unused")
    long aa, ab, ac, ad, ae, af, ag, ah, ai, aj, ak, al, am, an, ao, ap, aq, ar, as, at, au, av;
    long aw, ax, ay, az, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, ba, bb, bc, bd, be, bf, bg, bh;
    long bi, bj, bk, bl, bm, bn, bo, bp, bq, br, bs, bt, bu, bv, bw, bx, by, bz, b0, b1, b2, b3;
    long b4, b5, b6, b7, b8, b9, ca, cb, cc, cd, ce, cf, cg, ch, ci, cj, ck, cl, cm, cn, co, cp;
    long cq, cr, cs, ct, cu, cv, cw, cx, cy, cz, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, da, db;
    long dc, dd, de, df, dg, dh, di, dj, dk, dl, dm, dn, dp, dq, dr, ds, dt, du, dv, dw, dx, dy;
    long dz, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, ea, eb, ec, ed, ee, ef, eg, eh, ei, ej, ek;
    long el, em, en, eo, ep, eq, er, es, et, eu, ev, ew, ex, ey, ez, e0, e1, e2, e3, e4, e5, e6;
    long e7, e8, e9, fa, fb, fc, fd, fe, ff, fg, fh, fi, fj, fk, fl, fm, fn, fo, fp, fq, fr, fs;
    long ft, fu, fv, fw, fx, fy, fz, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, ga, gb, gc, gd, ge;
    long gf, gg, gh, gi, gj, gk, gl, gm, gn, go, gp, gq, gr, gs, gt, gu, gv, gw, gx, gy, gz, g0;
    long g1, g2, g3, g4, g5, g6, g7, g8, g9, ha, hb, hc, hd, he, hf, hg, hh, hi, hj, hk, hl, hm;
    long hn, ho, hp, hq, hr, hs, ht, hu, hv, hw, hx, hy, hz, h0, h1, h2, h3, h4, h5, h6, h7, h8;
    long h9, ia, ib, ic, id, ie, ig, ih, ii, ij, ik, il, im, in, io, ip, iq, ir, is, it, iu, iv;
    long iw, ix, iy, iz, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ja, jb, jc, jd, je, jf, jg, jh;
    long ji, jj, jk, jl, jm, jn, jo, jp, jq, jr, js, jt, ju, jv, jw, jx, jy, jz, j0, j1, j2, j3;
    long j4, j5, j6, j7, j8, j9, ka, kb, kc, kd, ke, kf, kg, kh, ki, kj, kk, kl, km, kn, ko, kp;
    long kq, kr, ks, kt, ku, kv, kw, kx, ky, kz, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, la, lb;
    long lc, ld, le, lf, lg, lh, li, lj, lk, ll, lm, ln, lo, lp, lq, lr, ls, lt, lu, lv, lw, lx;
    long ly, lz, l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, ma, mb, mc, md, me, mf, mg, mh, mi, mj;
    long mk, ml, mm, mn, mo, mp, mq, mr, ms, mt, mu, mv, mw, mx, my, mz, m0, m1, m2, m3, m4, m5;
    long m6, m7, m8, m9, na, nb, nc, nd, ne, nf, ng, nh, ni, nj, nk, nl, nm, nn, no, np, nq, nr;
    long ns, nt, nu, nv, nw, nx, ny, nz, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, oa, ob, oc, od;
    long oe, of, og, oh, oi, oj, ok, ol, om, on, oo, op, oq, or, os, ot, ou, ov, ow, ox, oy, oz;
    long o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, pa, pb, pc, pd, pe, pf, pg, ph, pi, pj, pk, pl;
    long pm, pn, po, pp, pq, pr, ps, pt, pu, pv, pw, px, py, pz, p0, p1, p2, p3, p4, p5, p6, p7;
    long p8, p9, qa, qb, qc, qd, qe, qf, qg, qh, qi, qj, qk, ql, qm, qn, qo, qp, qq, qr, qs, qt;
    long qu, qv, qw, qx, qy, qz, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, ra, rb, rc, rd, re, rf;
    long rg, rh, ri, rj, rk, rl, rm, rn, ro, rp, rq, rr, rs, rt, ru, rv, rw, rx, ry, rz, r0, r1;
    long r2, r3, r4, r5, r6, r7, r8, r9, sa, sb, sc, sd, se, sf, sg, sh, si, sj, sk, sl, sm, sn;
    long so, sp, sq, sr, ss, st, su, sv, sw, sx, sy, sz, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9;
    long ta, tb, tc, td, te, tf, tg, th, ti, tj, tk, tl, tm, tn, to, tp, tq, tr, ts, tt, tu, tv;
    long tw, tx, ty, tz, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ua, ub, uc, ud, ue, uf, ug, uh;
    long ui, uj, uk, ul, um, un, uo, up, uq, ur, us, ut, uu, uv, uw, ux, uy, uz, u0, u1, u2, u3;
    long u4, u5, u6, u7, u8, u9, va, vb, vc, vd, ve, vf, vg, vh, vi, vj, vk, vl, vm, vn, vo, vp;
    long vq, vr, vs, vt, vu, vv, vw, vx, vy, vz, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, wa, wb;
    long wc, wd, we, wf, wg, wh, wi, wj, wk, wl, wm, wn, wo, wp, wq, wr, ws, wt, wu, wv, ww, wx;
    long wy, wz, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, xa, xb, xc, xd, xe, xf, xg, xh, xi, xj;
    long xk, xl, xm, xn, xo, xp, xq, xr, xs, xt, xu, xv, xw, xx, xy, xz, x0, x1, x2, x3, x4, x5;
    long x6, x7, x8, x9, ya, yb, yc, yd, ye, yf, yg, yh, yi, yj, yk, yl, ym, yn, yo, yp, yq, yr;
    long ys, yt, yu, yv, yw, yx, yy, yz, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, za, zb, zc, zd;
    long ze, zf, zg, zh, zi, zj, zk, zl, zm, zn, zo, zp, zq, zr, zs, zt, zu, zv, zw, zx, zy, zz;
    long z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, aa0, ab0, ac0, ad0, ae0, af0, ag0, ah0, ai0;
    long aj0, ak0, al0, am0, an0, ao0, ap0, aq0, ar0, as0, at0, au0, av0, aw0, ax0, ay0, az0;
    long ba0, bb0, bc0, bd0, be0, bf0, bg0, bh0, bi0, bj0, bk0, bl0, bm0, bn0, bo0, bp0, bq0;
    long br0, bs0, bt0, bu0, bv0, bw0, bx0, by0, bz0, ca0, cb0, cc0, cd0, ce0, cf0, cg0, ch0;
    long ci0, cj0, ck0, cl0, cm0, cn0, co0, cp0, cq0, cr0, cs0, ct0, cu0, cv0, cw0, cx0, cy0;
    long cz0, da0, db0, dc0, dd0, de0, df0, dg0, dh0, di0, dj0, dk0, dl0;
    return gate.admit(plan, now);
  }
}
